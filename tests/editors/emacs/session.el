;;; What the scripts here share: steps that wait for an event within a bound, and a report as JSON at the end.  -*- lexical-binding: t; -*-

;; A script is run in an Emacs in batch.  `flow-test-check' notes a step; at the end the report is written to
;; $FLOW_TEST_REPORT, and Emacs ends with status 0 if every step was right, else 1.

(require 'cl-lib)
(require 'seq)
(require 'subr-x)
(require 'json)

(setq make-backup-files nil create-lockfiles nil auto-save-default nil
      enable-local-variables :safe vc-handled-backends nil)

;; `emacs -Q' leaves the packages of the system away.
(let ((newer (getenv "FLOW_TEST_EGLOT")))
  (if newer
      (add-to-list 'load-path newer)
    (dolist (directory (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/*-[0-9]*"))
      (add-to-list 'load-path directory))))
(add-to-list 'load-path (getenv "FLOW_TEST_PACKAGE"))
(when (getenv "FLOW_TEST_EGLOT")
  ;; Their older selves may be part of Emacs.
  (dolist (library '("eldoc" "xref" "project" "jsonrpc" "flymake"))
    (load library nil t)))
(unless (require 'eglot nil t)
  (princ "There is no eglot: run `make test-editors'.\n")
  (kill-emacs 1))
(require 'flow-mode)
(setq eglot-sync-connect 20 eglot-autoreconnect nil eglot-extend-to-xref nil)

(defvar flow-test-steps nil)
(defvar flow-test-deadline (+ (float-time) 30) "For everything that a script waits for.")

(defun flow-test-check (name right &optional seen)
  "Note whether the step NAME was RIGHT, with what was SEEN."
  (push `((name . ,name) (right . ,(if right t :json-false)) (seen . ,(format "%S" seen))) flow-test-steps)
  right)

(defun flow-test-wait (ready)
  "Wait until READY gives something, and give that."
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (when (eglot-managed-p)
        (eglot--signal-textDocument/didChange)))) ; which waits for a person who pauses, and nobody is idle in batch
  (let (value)
    (while (and (not (setq value (funcall ready))) (< (float-time) flow-test-deadline))
      (accept-process-output nil 0.01)
      (read-event nil nil 0.01)) ; with which changes of files come, which a person's Emacs sees by itself
    value))

(defun flow-test-buffer (name)
  "The buffer of the file NAME, waited for."
  (flow-test-wait
   (lambda ()
     (seq-find (lambda (buffer)
                 (let ((file (buffer-file-name buffer)))
                   (and file (equal (file-name-nondirectory file) name))))
               (buffer-list)))))

(defun flow-test-text (buffer)
  "The text of BUFFER."
  (with-current-buffer buffer (buffer-substring-no-properties (point-min) (point-max))))

(defun flow-test-reads (buffer text)
  "Whether BUFFER holds TEXT, waited for."
  (flow-test-wait (lambda () (string-search text (flow-test-text buffer)))))

(defun flow-test-findings (buffer)
  "The texts of the diagnostics of BUFFER, as flymake has them."
  (with-current-buffer buffer
    (when (bound-and-true-p flymake-mode)
      (flymake-start))
    (mapcar #'flymake-diagnostic-text (flymake-diagnostics))))

(defvar flow-test-questions nil "What was asked, the last one first: prompt, titles, and what else was to be read.")
(defvar flow-test-answer nil "What is answered: one of the titles, or nil for none.")

(defun flow-test-completing-read (prompt collection &rest _)
  "Answer PROMPT with `flow-test-answer' where COLLECTION has it."
  (let ((titles (all-completions "" collection))
        (shown (mapconcat (lambda (window) (flow-test-text (window-buffer window))) (window-list) "\n")))
    (push (list prompt titles shown) flow-test-questions)
    (if (member flow-test-answer titles) flow-test-answer "")))

(defun flow-test-asked (text)
  "The questions in which TEXT is to be read."
  (seq-filter (lambda (question) (or (string-search text (nth 0 question)) (string-search text (nth 2 question))))
              flow-test-questions))

(defun flow-test-run (steps)
  "Run STEPS, report, and end."
  (advice-add 'completing-read :override #'flow-test-completing-read)
  (advice-add 'y-or-n-p :override (lambda (&rest _) t))
  (condition-case problem
      (let ((debug-on-error nil))
        (funcall steps))
    (error (flow-test-check "no error in the script" nil problem)))
  (let ((servers (and (boundp 'eglot--servers-by-project)
                      (apply #'append (hash-table-values eglot--servers-by-project)))))
    (dolist (server servers)
      (condition-case problem
          (eglot-shutdown server nil 10)
        (error (flow-test-check "the server ends when it is asked to" nil problem)))))
  (with-temp-file (getenv "FLOW_TEST_REPORT")
    (insert (json-encode (vconcat (reverse flow-test-steps)))))
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer (set-buffer-modified-p nil)))
  (kill-emacs (if (seq-every-p (lambda (step) (eq (alist-get 'right step) t)) flow-test-steps) 0 1)))
