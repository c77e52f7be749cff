;;; flow-commands.el --- What can be done with Flow Tools  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Eglot shows no lenses: here are the commands that they stand for.
;; In a `.flow' file they go by the Tool that point is in.

;;; Code:

(require 'flow-eglot)
(require 'flow-page)

(defvar flow-call-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'flow-call-run)
    (define-key map (kbd "C-c C-k") #'flow-call-cancel)
    map)
  "Keys of `flow-call-mode'.")

(defvar flow-json-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?\\ "\\" table)
    table)
  "Syntax table of `flow-json-mode'.")

;;;###autoload
(define-derived-mode flow-json-mode prog-mode "Flow JSON"
  "Major mode for what a call came to, which is JSON."
  (setq-local indent-line-function #'flow-indent-line
              flow-indent-offset 2
              indent-tabs-mode nil
              comment-start ""
              font-lock-defaults '((("\\(\"\\(?:\\\\.\\|[^\"\\\n]\\)*\"\\)[ \t]*:" 1 font-lock-variable-name-face t)
                                    ("\\_<\\(?:true\\|false\\|null\\)\\_>" . font-lock-constant-face)
                                    ("-?\\_<[0-9][0-9.eE+-]*" . font-lock-constant-face)))))

;;;###autoload
(define-derived-mode flow-call-mode flow-json-mode "Flow call"
  "Major mode for the arguments of a call, which are JSON.

\\{flow-call-mode-map}")

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.flow-call\\.json\\'" . flow-call-mode))
;;;###autoload
(add-to-list 'auto-mode-alist '("\\.flow-result\\.json\\'" . flow-json-mode))

(dolist (binding '(("C-c C-c" . flow-call) ("C-c C-d" . flow-describe) ("C-c C-s" . flow-schema)
                   ("C-c C-w" . flow-what-changed) ("C-c C-t" . flow-tools)))
  (define-key flow-mode-map (kbd (car binding)) (cdr binding)))

(defun flow--server ()
  "The server of the current buffer, or an error."
  (let ((server (eglot-current-server)))
    (unless (cl-typep server 'flow-eglot-server)
      (user-error "No server looks after this buffer: see `flow-eglot-mode'"))
    server))

(defun flow--request (method params then)
  "Ask for METHOD with PARAMS, as the buffer is by now; THEN gets the answer.
Nothing is waited for: a call takes as long as it takes."
  (let ((server (flow--server)) (buffer (current-buffer)))
    (jsonrpc-async-request server method params
                           :deferred (intern (format ":%s" (gensym "flow")))
                           :timeout nil
                           :success-fn (lambda (answer)
                                         (when (buffer-live-p buffer)
                                           (with-current-buffer buffer
                                             (funcall then answer))))
                           :error-fn (lambda (problem)
                                       (message "flow-lsp: %s" (plist-get problem :message))))))

(defun flow--execute (command arguments &optional then)
  "Have the server run COMMAND with ARGUMENTS; THEN gets what it gives."
  (flow--request :workspace/executeCommand (list :command command :arguments (vconcat arguments))
                 (or then #'ignore)))

(defun flow--at-point (command missing then)
  "Call THEN with the arguments of the lens with COMMAND of the Tool at point.
Above all Tools that is the first one.  Without one, MISSING is said."
  (let ((line (1- (line-number-at-pos nil t))))
    (flow--request
     :textDocument/codeLens (list :textDocument (list :uri (flow--uri)))
     (lambda (lenses)
       (let (chosen)
         (mapc (lambda (lens)
                 (when (and (equal (plist-get (plist-get lens :command) :command) command)
                            (or (not chosen)
                                (<= (plist-get (plist-get (plist-get lens :range) :start) :line) line)))
                   (setq chosen lens)))
               lenses)
         (if chosen
             (funcall then (append (plist-get (plist-get chosen :command) :arguments) nil))
           (message "flow-lsp: %s" missing)))))))

(defun flow-describe (&optional all)
  "Ask what answers for this file what it serves, again.
With a prefix argument, ALL, ask the whole workspace.  Commands
that you did not agree to are asked about again."
  (interactive "P")
  (flow--execute "flow.describe" (if all nil (list (flow--uri)))))

(defun flow-doctor ()
  "Show what would run for each binding, and what is wrong with it."
  (interactive)
  (flow--execute "flow.doctor" nil
                 (lambda (text)
                   (with-current-buffer (get-buffer-create "*Flow doctor*")
                     (let ((inhibit-read-only t))
                       (erase-buffer)
                       (insert text))
                     (special-mode)
                     (goto-char (point-min))
                     (display-buffer (current-buffer))))))

(defun flow-call ()
  "Open the arguments of the Tool at point.
In them, press \\<flow-call-mode-map>\\[flow-call-run]."
  (interactive)
  (flow--at-point "flow.call.open" "no Tool that can be called is declared here"
                  (lambda (arguments) (flow--execute "flow.call.open" arguments))))

(defun flow-call-run ()
  "Call the Tool with the arguments in this buffer, saved or not.
What it came to is shown beside them."
  (interactive)
  (flow--execute "flow.call" (list (flow--uri))))

(defun flow-call-cancel ()
  "Ask to stop what is out with the arguments in this buffer."
  (interactive)
  (flow--execute "flow.call.cancel" (list (flow--uri))))

(defun flow-schema ()
  "Show the types of the Tool at point."
  (interactive)
  (flow--at-point "flow.tool.schema" "no Tool whose signature is known is declared here"
                  (lambda (arguments)
                    (flow--execute "flow.tool.page" arguments
                                   (lambda (page) (flow-page-show page))))))

(defun flow-what-changed ()
  "Show the Tool at point as it is declared and as it is served."
  (interactive)
  (flow--at-point "flow.tool.changes" "nothing is known to be served otherwise than it is declared here"
                  (lambda (arguments)
                    (flow--execute "flow.tool.changes" arguments
                                   (lambda (texts)
                                     (funcall flow-show-changes-function
                                              (flow--path (plist-get texts :declared))
                                              (flow--path (plist-get texts :served))))))))

(defun flow-diff (declared served)
  "Show what differs between the files DECLARED and SERVED."
  (require 'diff)
  (diff declared served "-U100" t))

(defun flow-tools (&optional all)
  "List the Tools of the workspace that do not fit; with ALL, every one.
ALL is the prefix argument."
  (interactive "P")
  (flow--request :flow/tools eglot--{}
                 (lambda (answer)
                   (flow-page-show-tools answer all (project-root (eglot--project (flow--server)))))))

(defun flow-status ()
  "A few words on the Tools of the workspace, for a mode line, or nil."
  (let ((server (eglot-current-server)))
    (when (cl-typep server 'flow-eglot-server)
      (let* ((told (oref server told))
             (doing (plist-get told :doing))
             (unfit (or (plist-get told :unfit) 0)))
        (cond ((stringp doing) (truncate-string-to-width doing 60 nil nil "…"))
              ((> unfit 0) (format "%d unfit" unfit)))))))

(setq flow-mode-line-function #'flow-status)

(provide 'flow-commands)
;;; flow-commands.el ends here
