;;; flow-mode.el --- Flow Tool declarations, checked while you type  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: languages, tools
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Major modes for `.flow' files and for the arguments of calls.  With
;;
;;     (require 'flow-mode)
;;     (flow-eglot-mode 1)
;;
;; the server `flow-lsp' looks after them, and after every flow.toml in
;; whatever mode that is edited (see flow-eglot.el).

;;; Code:

(defgroup flow nil
  "Flow Tool declarations."
  :group 'languages)

(defcustom flow-indent-offset 4
  "How many columns what stands in brackets is indented by."
  :type 'natnum
  :safe #'natnump)


;;; Syntax

(defvar flow-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23n" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?\\ "\\" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?< "." table)
    (modify-syntax-entry ?> "." table)
    (modify-syntax-entry ?@ "." table)
    table)
  "Syntax table of `flow-mode': nested block comments, and names.")

(defun flow--propertize (start end)
  "Let each string from START to END end with its line at the latest."
  (goto-char start)
  (while (re-search-forward "\"\\(?:\\\\.\\|[^\"\\\n]\\)*\\(\"\\|\n\\)" end t)
    (let ((first (match-beginning 0)) (last (match-beginning 1)))
      (if (nth 8 (save-excursion (syntax-ppss first)))
          (goto-char (1+ first))
        (put-text-property first (1+ first) 'syntax-table '(15))
        (put-text-property last (1+ last) 'syntax-table '(15))))))

(defconst flow--name "[[:alpha:]_][[:alnum:]_]*"
  "A name.")

(defconst flow--item
  "^\\(?:@\\|\\(?:pub\\|opaque\\|record\\|enum\\|host\\|fn\\|import\\)\\_>\\)"
  "What begins an item in column 0, also where a bracket is still open.")

(defun flow--state (position)
  "The state of the parser at POSITION, with the brackets of its item alone."
  (save-excursion
    (goto-char position)
    (let (start)
      (unless (and (bolp) (looking-at flow--item))
        (re-search-backward flow--item nil 'move))
      (while (not start)
        (if (or (bobp) (not (nth 8 (save-excursion (syntax-ppss (point))))))
            (setq start (point))
          (re-search-backward flow--item nil 'move)))
      (parse-partial-sexp start position))))

(defun flow--head-p (word)
  "Whether WORD, a name and perhaps its type parameters stand before point."
  (looking-back (concat "\\_<" word "[ \t]+" flow--name "[ \t]*\\(?:<[^{};]*>\\)?[ \t\n]*")
                (line-beginning-position -1)))

(defun flow--context (position)
  "What surrounds POSITION.
A symbol: `fields' of a record or a constructor, `constructors',
`parameters', `payload' (of a constructor, or another tuple),
`names' of an import, `body', or nil outside of all brackets."
  (save-match-data
    (flow--context-of (nth 9 (flow--state position)))))

(defun flow--context-of (opened)
  "What surrounds the inside of the brackets OPENED, as `flow--context' has it."
  (save-excursion
    (when opened
      (goto-char (car opened))
      (cond
       ((flow--head-p "record") 'fields)
       ((flow--head-p "enum")
        (cond ((null (cdr opened)) 'constructors)
              ((eq (char-after (cadr opened)) ?\{) 'fields)
              (t 'payload)))
       ((and (eq (char-after) ?\() (flow--head-p "fn")) 'parameters)
       ((save-excursion (beginning-of-line) (looking-at "[ \t]*import\\_>")) 'names)
       ((eq (char-after) ?\() 'payload)
       (t 'body)))))


;;; Colours

(defface flow-constructor-face '((t :inherit font-lock-constant-face))
  "Face of the constructors of an enum.")

(defface flow-module-face '((t :inherit font-lock-variable-name-face))
  "Face of modules.")

(defun flow--search (regexp limit fits)
  "Find REGEXP before LIMIT, outside of comments and strings.
FITS is called with the context of the place, and decides."
  (let (found)
    (while (and (not found) (re-search-forward regexp limit t))
      (let ((start (match-beginning 0)))
        (setq found
              (save-match-data
                (and (not (nth 8 (save-excursion (syntax-ppss start))))
                     (funcall fits (flow--context start)))))))
    found))

(defun flow--match-field (limit)
  "Find a field before LIMIT."
  (flow--search (concat "\\(\\_<" flow--name "\\)[ \t]*:") limit
                (lambda (context) (memq context '(fields)))))

(defun flow--match-parameter (limit)
  "Find a parameter before LIMIT."
  (flow--search (concat "\\(\\_<" flow--name "\\)[ \t]*:") limit
                (lambda (context) (eq context 'parameters))))

(defun flow--match-constructor (limit)
  "Find a constructor before LIMIT."
  (flow--search (concat "\\_<" flow--name) limit
                (lambda (context) (eq context 'constructors))))

(defun flow--result-p (position)
  "Whether POSITION is outside of brackets in the result of a function."
  (save-excursion
    (goto-char position)
    (let ((arrow (save-excursion (search-backward "->" (line-beginning-position 0) t))))
      (and arrow (not (string-match-p "[{}]" (buffer-substring-no-properties arrow position)))
           (progn (goto-char arrow) (looking-back ")[ \t\n]*" (line-beginning-position 0)))))))

(defun flow--type-p (context)
  "Whether a name may be a type, in CONTEXT, at the last match."
  (let ((start (match-beginning 0)))
    (or (memq context '(fields parameters payload))
        (and (null context)
             (or (flow--result-p start)
                 ;; The type parameters of a declaration.
                 (save-excursion
                   (goto-char start)
                   (looking-back (concat "\\_<\\(?:record\\|enum\\|fn\\)[ \t]+" flow--name "[ \t]*<[^<>{}()\n]*")
                                 (line-beginning-position))))))))

(defun flow--match-module (limit)
  "Find a module, and what is named of it, before LIMIT."
  (flow--search (concat "\\_<\\(" flow--name "\\)[ \t]*\\.[ \t]*\\(" flow--name "\\)") limit
                (lambda (context) (save-match-data (flow--type-p context)))))

(defun flow--match-type (limit)
  "Find a type before LIMIT."
  (flow--search (concat "\\_<" flow--name) limit
                (lambda (context) (save-match-data (flow--type-p context)))))

(defun flow--match-arrow (limit)
  "Find an arrow before LIMIT."
  (flow--search "->" limit (lambda (context) (not (eq context 'body)))))

(defun flow--match-import (limit)
  "Find an import before LIMIT: its word, and its path."
  (flow--search (concat "^[ \t]*\\(import\\)[ \t]+\\(\\(?:\\.\\{1,2\\}/\\)*[[:alnum:]_-]+\\(?:/[[:alnum:]_.-]*[[:alnum:]_-]\\)*\\)")
                limit #'null))

(defun flow--match-item (words limit)
  "Find one of WORDS, a regexp, before LIMIT, where it begins or qualifies an item."
  (flow--search (concat "\\_<\\(" words "\\)\\_>[ \t]+\\(" flow--name "\\)") limit #'null))

(defconst flow--types
  (regexp-opt '("Int" "Decimal" "Bool" "Text" "Bytes" "Instant" "Duration" "Unit" "Never"
                "List" "Set" "Dict" "Option" "Result" "Task")
              'symbols)
  "The types of Flow itself.")

(defvar flow-font-lock-keywords
  `((flow--match-import (1 font-lock-keyword-face) (2 font-lock-string-face)
                        (,(concat "\\_<\\(as\\)\\_>\\|\\_<\\(" flow--name "\\)")
                         nil nil
                         (1 font-lock-keyword-face nil t)
                         (2 (if (flow--context (match-beginning 2)) font-lock-type-face 'flow-module-face) nil t)))
    ("@[ \t]*[[:alpha:]_][[:alnum:]_]*" . font-lock-preprocessor-face)
    ("\\_<\\(?:pub\\|opaque\\)\\_>"
     (0 (unless (flow--context (match-beginning 0)) font-lock-keyword-face)))
    (,(lambda (limit) (flow--match-item "record\\|enum\\|host" limit))
     (1 font-lock-keyword-face) (2 font-lock-type-face))
    (,(lambda (limit) (flow--match-item "fn" limit))
     (1 font-lock-keyword-face) (2 font-lock-function-name-face))
    (flow--match-field (1 font-lock-variable-name-face))
    (flow--match-parameter (1 font-lock-variable-name-face))
    (flow--match-constructor . 'flow-constructor-face)
    (,(lambda (limit) (flow--search "\\_<fn[ \t]*(" limit #'flow--type-p))
     (0 (progn (put-text-property (match-beginning 0) (+ 2 (match-beginning 0)) 'face font-lock-keyword-face) nil)))
    (flow--match-module (1 'flow-module-face) (2 font-lock-type-face))
    (flow--match-type . font-lock-type-face)
    (flow--match-arrow . font-lock-keyword-face)
    (,(lambda (limit) (flow--search "\\_<[0-9][0-9_]*\\(?:\\.[0-9]+\\)?" limit (lambda (context) (eq context 'body))))
     . font-lock-constant-face))
  "What `flow-mode' colours.")


;;; Indentation

(defun flow--indentation ()
  "The column that the current line should begin at."
  (save-excursion
    (back-to-indentation)
    (let* ((state (flow--state (point)))
           (opened (nth 1 state)))
      (cond
       ((nth 8 state) nil) ; a comment is as its writer has it
       ((null opened) 0)
       (t (let ((closing (memq (char-after) '(?\) ?\} ?\]))))
            (goto-char opened)
            (back-to-indentation)
            (+ (current-column) (if closing 0 flow-indent-offset))))))))

(defun flow-indent-line ()
  "Indent the current line by the brackets that it stands in."
  (interactive)
  (let ((column (flow--indentation))
        (behind (> (current-column) (current-indentation))))
    (cond ((null column) 'noindent)
          (behind (save-excursion (indent-line-to column)))
          (t (indent-line-to column)))))


;;; Modes

(defvar flow-mode-map (make-sparse-keymap)
  "Keys of `flow-mode'.")

(defvar flow-mode-line-function #'ignore
  "Gives what the mode line says behind the name of the mode, or nil.")

(defun flow--mode-line ()
  "What stands in the mode line behind the name of the mode."
  (let ((said (funcall flow-mode-line-function)))
    (if said (concat "[" (replace-regexp-in-string "%" "%%" said t t) "]") "")))

(defvar flow-imenu-generic-expression
  `(("Types" ,(concat "^[ \t]*\\(?:pub[ \t]+\\)?\\(?:opaque[ \t]+\\)?\\(?:record\\|enum\\|host\\)[ \t]+\\(" flow--name "\\)") 1)
    ("Functions" ,(concat "^[ \t]*\\(?:pub[ \t]+\\)?fn[ \t]+\\(" flow--name "\\)") 1))
  "What imenu lists where no server does.")

;;;###autoload
(define-derived-mode flow-mode prog-mode "Flow"
  "Major mode for Flow Tool declarations.

\\{flow-mode-map}"
  (setq mode-name '("Flow" (:eval (flow--mode-line))))
  (setq-local comment-start "// "
              comment-start-skip "\\(?://+\\|/\\*+\\)[ \t]*"
              comment-end ""
              comment-multi-line t
              parse-sexp-ignore-comments t
              parse-sexp-lookup-properties t
              syntax-propertize-function #'flow--propertize
              indent-line-function #'flow-indent-line
              indent-tabs-mode nil
              electric-indent-chars (append "})" electric-indent-chars)
              imenu-generic-expression flow-imenu-generic-expression
              beginning-of-defun-function #'flow-beginning-of-defun
              end-of-defun-function #'flow-end-of-defun
              font-lock-defaults '(flow-font-lock-keywords)
              font-lock-multiline t))

(defun flow-beginning-of-defun (&optional count)
  "Go to the beginning of the item at point; COUNT of them."
  (re-search-backward flow--item nil 'move (or count 1)))

(defun flow-end-of-defun ()
  "Go to the end of the item that begins at point."
  (forward-line 1)
  (when (re-search-forward (concat "^\\(?:[ \t]*$\\|///\\)\\|" flow--item) nil 'move)
    (beginning-of-line)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.flow\\'" . flow-mode))

(provide 'flow-mode)
(require 'flow-eglot)
;;; flow-mode.el ends here
