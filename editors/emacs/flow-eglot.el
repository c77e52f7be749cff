;;; flow-eglot.el --- The server flow-lsp, through Eglot  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; What Eglot leaves to its user: it starts no server by itself, looks
;; after files of one mode and one project alone, shows no lenses, and
;; (before 1.10) shows no documents of a server and creates no files.
;; All of that is done here, for this server alone.  Works with Eglot
;; 1.9 of Emacs 28 and with the one that is part of Emacs 29 and later.

;;; Code:

(require 'cl-lib)
(require 'eglot)
(require 'flow-mode)

(declare-function flow-page-show "flow-page")

(defcustom flow-server-program '("flow-lsp")
  "The program of the server, with its arguments."
  :type '(repeat string)
  :group 'flow)

(defcustom flow-trust 'ask
  "What may run of a workspace, to know what it serves and for calls.
With `ask', each command once you agreed to it; with `always',
every command unasked; with `never', none."
  :type '(choice (const ask) (const always) (const never))
  :group 'flow)

(defcustom flow-show-changes-function #'flow-diff
  "Shows two files as a difference: what is declared, and what is served.
`ediff-files' does it side by side."
  :type '(choice (const flow-diff) (const ediff-files) function)
  :group 'flow)


;;; The server

(defclass flow-eglot-server (eglot-lsp-server)
  ((told :initform nil :documentation "The last flow/toolsDidChange, as a plist.")
   (creates :initform nil :documentation "Whether Eglot itself creates files."))
  :documentation "A connection to flow-lsp.")

(add-to-list 'eglot-server-programs '((flow-mode flow-call-mode) . flow--contact))

(defun flow--contact (&rest _)
  "What `eglot-server-programs' has for Flow."
  (cons 'flow-eglot-server flow-server-program))

(defun flow--with (plist path value &optional keep)
  "PLIST, another one, with VALUE at PATH, a list of keywords.
With KEEP, what is there already stays."
  (let* ((key (car path)) (old (plist-get plist key)))
    (plist-put (copy-sequence plist) key
               (cond ((cdr path) (flow--with (and (listp old) old) (cdr path) value keep))
                     ((and keep (plist-member plist key)) old)
                     (t value)))))

(cl-defmethod eglot-client-capabilities ((server flow-eglot-server))
  "What is done here for SERVER beyond what Eglot does."
  (let ((known (cl-call-next-method)))
    (oset server creates (plist-get (plist-get (plist-get known :workspace) :workspaceEdit) :resourceOperations))
    (setq known (flow--with known '(:workspace :workspaceEdit :resourceOperations) ["create"] t)
          known (flow--with known '(:window :showDocument) '(:support t))
          known (flow--with known '(:window :showMessage)
                            '(:messageActionItem (:additionalPropertiesSupport :json-false)) t)
          known (flow--with known '(:experimental :flowTools) t))
    (flow--with known '(:experimental :flowDiff) t)))

(cl-defmethod eglot-initialization-options ((_server flow-eglot-server))
  "What the user set, for the server takes trust from nowhere else."
  (let ((given (cl-call-next-method)))
    (if (and (consp given) (keywordp (car given)))
        given
      `(:flow (:trust ,(symbol-name flow-trust))))))

(cl-defmethod eglot-handle-notification ((server flow-eglot-server) (_method (eql flow/toolsDidChange))
                                         &rest params)
  "Note PARAMS, which are of all Tools of SERVER."
  (oset server told params)
  (force-mode-line-update t))

(cl-defmethod eglot-handle-request ((_server flow-eglot-server) (_method (eql window/showMessageRequest))
                                    &key message actions &allow-other-keys)
  "Ask what the server asks, MESSAGE, of which one of ACTIONS is chosen.
All of it is to be read before it is answered, and no answer is
the first one: to agree to a command takes more than a key."
  (let ((titles (mapcar (lambda (action) (plist-get action :title)) actions)))
    (save-window-excursion
      (with-current-buffer (get-buffer-create "*Flow question*")
        (let ((inhibit-read-only t))
          (erase-buffer)
          (insert message "\n"))
        (special-mode)
        (visual-line-mode 1)
        (goto-char (point-min))
        (let ((window (display-buffer (current-buffer) '((display-buffer-at-bottom)))))
          (when window
            (set-window-start window (point-min))
            (fit-window-to-buffer window (/ (frame-height) 2)))))
      (let ((title (condition-case nil
                       (completing-read "Your answer (empty: not now): " titles nil t)
                     (quit nil))))
        (and (member title titles)
             (list :title title))))))

(defun flow--path (uri)
  "The path of URI."
  (if (fboundp 'eglot-uri-to-path)
      (eglot-uri-to-path uri)
    (decode-coding-string (url-unhex-string (url-filename (url-generic-parse-url uri))) 'utf-8)))

(defun flow--uri ()
  "The URI of the current buffer."
  (plist-get (eglot--TextDocumentIdentifier) :uri))

(cl-defmethod eglot-handle-request ((server flow-eglot-server) (_method (eql window/showDocument))
                                    &key uri external takeFocus selection &allow-other-keys)
  "Show the document URI of SERVER, with point at SELECTION.
EXTERNAL is for a browser; TAKEFOCUS selects the window."
  (if (eq external t)
      (browse-url uri)
    (run-at-time 0 nil #'flow--show-document server (flow--path uri) (eq takeFocus t) selection))
  '(:success t))

(defun flow--show-document (server path focus &optional selection)
  "Show the file PATH of SERVER as it is by now; with FOCUS, go there.
Point is where SELECTION begins."
  (let ((buffer (find-file-noselect path t)))
    (with-current-buffer buffer
      (unless (or (buffer-modified-p) (verify-visited-file-modtime buffer))
        (revert-buffer t t t))
      (cond
       ((string-suffix-p ".flow-call.json" path) (flow--adopt server))
       (t (setq buffer-read-only t)))
      (when selection
        (let ((start (plist-get selection :start)))
          (goto-char (point-min))
          (forward-line (plist-get start :line)))))
    (if focus
        (pop-to-buffer buffer '((display-buffer-reuse-window display-buffer-pop-up-window)))
      (display-buffer buffer '((display-buffer-reuse-window display-buffer-below-selected
                                                            display-buffer-pop-up-window))))))


;;; Which buffers

(defun flow--manifest-p ()
  "Whether the current buffer is a flow.toml."
  (and buffer-file-name (equal (file-name-nondirectory buffer-file-name) "flow.toml")))

(defun flow--root (directory)
  "The project of DIRECTORY: its outermost directory with a flow.toml.
Sources may import from all of it.  A project that version
control knows comes before it."
  (when (bound-and-true-p eglot-lsp-context)
    (let ((next directory) found)
      (while (and next (setq next (locate-dominating-file next "flow.toml")))
        (setq found (file-name-as-directory (expand-file-name next))
              next (file-name-directory (directory-file-name found)))
        (when (equal next found) ; the root of the file system
          (setq next nil)))
      (and found (cons 'transient found)))))

(defun flow--servers ()
  "The servers that run."
  (cl-remove-if-not (lambda (server) (and (cl-typep server 'flow-eglot-server) (jsonrpc-running-p server)))
                    (apply #'append (hash-table-values eglot--servers-by-project))))

(defun flow--server-of (path)
  "The running server of PATH, or nil."
  (cl-find-if (lambda (server)
                (file-in-directory-p path (project-root (eglot--project server))))
              (flow--servers)))

(defun flow--source-of (path)
  "The source of the Tool whose arguments are at PATH, or nil."
  (let ((about (expand-file-name "tool.json" (file-name-directory path))))
    (when (file-readable-p about)
      (ignore-errors
        (with-temp-buffer
          (insert-file-contents about)
          (let ((file (plist-get (json-parse-buffer :object-type 'plist) :file)))
            (and (stringp file) file)))))))

(defun flow--adopt (server)
  "Have SERVER look after the current buffer, whatever its mode and place."
  (unless (eglot-managed-p)
    (setq-local eglot--cached-server server)
    (eglot--maybe-activate-editing-mode)
    (run-at-time 0 nil #'flow--show-made (current-buffer))))

(defun flow--show-made (buffer)
  "Show BUFFER where it is a flow.toml that a quick fix has just made."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (when (and (flow--manifest-p) (buffer-modified-p) (not (get-buffer-window buffer t))
                 (zerop (or (file-attribute-size (or (file-attributes buffer-file-name) '(nil))) 0)))
        (pop-to-buffer buffer '((display-buffer-reuse-window display-buffer-pop-up-window)))
        (goto-char (point-min))
        (search-forward "\"\"" nil t)
        (when (looking-back "\"\"" (line-beginning-position))
          (backward-char))))))

(defun flow-ensure ()
  "Have a server look after the current buffer, if it is of Flow.
That is: a `.flow' file, a flow.toml in whatever mode, or the
arguments of a call."
  (interactive)
  (when (and buffer-file-name (not (eglot-managed-p)))
    (let ((source (cond ((derived-mode-p 'flow-mode) buffer-file-name)
                        ((flow--manifest-p) buffer-file-name)
                        ((derived-mode-p 'flow-call-mode) (flow--source-of buffer-file-name)))))
      (when source
        (add-hook 'project-find-functions #'flow--root 90 t)
        (let ((server (flow--server-of source)))
          (cond (server (flow--adopt server))
                ((derived-mode-p 'flow-call-mode) nil)
                (noninteractive (flow--connect))
                (t (flow--connect-soon))))))))

(defun flow--connect-soon ()
  "Start a server for the current buffer once the command is done."
  (let ((buffer (current-buffer)) connect)
    (setq connect (lambda ()
                    (remove-hook 'post-command-hook connect)
                    (when (buffer-live-p buffer)
                      (with-current-buffer buffer
                        (let ((server (flow--server-of buffer-file-name)))
                          (cond ((eglot-managed-p) nil)
                                (server (flow--adopt server))
                                (t (flow--connect))))))))
    (add-hook 'post-command-hook connect 'append)))

(defun flow--connect ()
  "Start a server for the current buffer, as `eglot-ensure' does it."
  (apply #'eglot--connect (let ((major-mode 'flow-mode)) (eglot--guess-contact))))

(defun flow--connected (server)
  "Have the new SERVER look after what Eglot itself would not."
  (when (cl-typep server 'flow-eglot-server)
    (dolist (buffer (buffer-list))
      (with-current-buffer buffer
        (when (or (and (flow--manifest-p)
                       (file-in-directory-p buffer-file-name (project-root (eglot--project server))))
                  (and (derived-mode-p 'flow-call-mode) buffer-file-name
                       (let ((source (flow--source-of buffer-file-name)))
                         (and source (file-in-directory-p source (project-root (eglot--project server)))))))
          (flow--adopt server))))))

(add-hook 'eglot-connect-hook #'flow--connected)

;;;###autoload
(define-minor-mode flow-eglot-mode
  "Have the server look after `.flow' files, flow.toml and arguments."
  :global t :group 'flow
  (if flow-eglot-mode
      (progn (add-hook 'find-file-hook #'flow-ensure)
             (dolist (buffer (buffer-list))
               (with-current-buffer buffer (flow-ensure))))
    (remove-hook 'find-file-hook #'flow-ensure)))

(defun flow--without-creations (edit)
  "EDIT, a WorkspaceEdit, without the creation of files.
A file that is to be created is a new buffer until it is saved."
  (let ((changes (plist-get edit :documentChanges)) rest)
    (mapc (lambda (change)
            (if (equal (plist-get change :kind) "create")
                (let ((path (flow--path (plist-get change :uri))))
                  (when (file-exists-p path)
                    (user-error "There is a file %s already" path)))
              (push change rest)))
          changes)
    (if changes
        (flow--with edit '(:documentChanges) (vconcat (nreverse rest)))
      edit)))

(defun flow--apply-edit (apply &rest arguments)
  "Call APPLY with ARGUMENTS, also where Eglot cannot create files."
  (let ((server (eglot-current-server)))
    (apply apply (if (and (cl-typep server 'flow-eglot-server) (not (oref server creates)))
                     (cons (flow--without-creations (car arguments)) (cdr arguments))
                   arguments))))

(advice-add 'eglot--apply-workspace-edit :around #'flow--apply-edit)

(provide 'flow-eglot)
(require 'flow-commands)
;;; flow-eglot.el ends here
