;;; The colours of Flow text, by the assertions that the grammar of the VS Code extension is tested with.  -*- lexical-binding: t; -*-

(load (expand-file-name "session.el" (getenv "FLOW_TEST_DIRECTORY")))

;; Faces by the scopes of that grammar; a scope of more words stands before its first ones.
(defconst flow-test-faces
  '(("comment" font-lock-comment-face font-lock-comment-delimiter-face font-lock-doc-face)
    ("entity.name.function.decorator" font-lock-preprocessor-face)
    ("punctuation.definition.decorator" font-lock-preprocessor-face)
    ("entity.name.function" font-lock-function-name-face)
    ("entity.name.namespace" flow-module-face)
    ("entity.name.type" font-lock-type-face)
    ("keyword" font-lock-keyword-face)
    ("storage.modifier" font-lock-keyword-face)
    ("string" font-lock-string-face)
    ("constant.numeric" font-lock-constant-face)
    ("support.type" font-lock-type-face)
    ("variable.other.enummember" flow-constructor-face)
    ("variable.other.property" font-lock-variable-name-face)
    ("variable.parameter" font-lock-variable-name-face)))

(defun flow-test-faces-of (scope)
  (cdr (seq-find (lambda (known) (string-prefix-p (car known) scope)) flow-test-faces)))

(defun flow-test-assertion ()
  "First and last column, and scopes, of the assertion in the current line."
  (cond ((looking-at "\\([ \t]*//\\)[ \t]*<\\([~-]+\\)[ \t]+\\(.*\\)$")
         (let ((first (- (length (match-string 1)) 2)))
           (list first (+ first (length (match-string 2)) -1) (match-string 3))))
        ((looking-at "\\([ \t]*//[ \t]*\\)\\(\\^+\\)[ \t]+\\(.*\\)$")
         (let ((first (length (match-string 1))))
           (list first (+ first (length (match-string 2)) -1) (match-string 3))))))

(defvar flow-test-seen 0)

(defun flow-test-check-file (file)
  (with-current-buffer (find-file-noselect file)
    (flow-mode)
    (font-lock-ensure)
    (goto-char (point-min))
    (let (source)
      (while (not (eobp))
        (pcase (flow-test-assertion)
          ('nil (setq source (line-beginning-position)))
          (`(,first ,last ,scopes)
           (let ((wanted (and (string-match "\\`[^-[:space:]][^[:space:]]*" scopes) (match-string 0 scopes)))
                 (unwanted (and (string-match "- \\([[:alnum:].]+\\)" scopes) (match-string 1 scopes)))
                 wrong)
             (cl-loop for column from first to last
                      for face = (get-text-property (+ source column) 'face)
                      do (cl-incf flow-test-seen)
                      unless wrong
                      do (when (or (and wanted (not (memq face (flow-test-faces-of wanted))))
                                   (and unwanted (memq face (flow-test-faces-of unwanted))))
                           (setq wrong (list column face))))
             (when wrong
               (flow-test-check (format "%s:%d is %s" (file-name-nondirectory file) (line-number-at-pos source) scopes)
                                nil wrong)))))
        (forward-line 1)))))

(flow-test-run
 (lambda ()
   (dolist (file (directory-files (getenv "FLOW_TEST_GRAMMAR") t "\\.test\\.flow\\'"))
     (flow-test-check-file file))
   (flow-test-check "there is much that was looked at" (> flow-test-seen 200) flow-test-seen)

   ;; Text that is not finished leaves the items below it as they are.
   (with-temp-buffer
     (flow-mode)
     (insert "pub fn find(query: Text, of: List<\n\nrecord Hit { url: Option<\n@tool\n"
             "pub enum Sky { Clear, Wet { of: (\nrecord A { b: Int }\n")
     (font-lock-ensure)
     (cl-flet ((face (text) (goto-char (point-min)) (search-forward text)
                 (get-text-property (match-beginning 0) 'face)))
       (flow-test-check "an item begins where the one before is not finished"
                        (equal (mapcar #'face '("record Hit" "url" "@tool" "pub enum" "Clear" "record A" "b: Int" "Int"))
                               '(font-lock-keyword-face font-lock-variable-name-face font-lock-preprocessor-face
                                 font-lock-keyword-face flow-constructor-face font-lock-keyword-face
                                 font-lock-variable-name-face font-lock-type-face))
                        (mapcar #'face '("record Hit" "url" "@tool" "pub enum" "Clear" "record A" "b: Int" "Int")))))

   ;; Indentation leaves what is right as it is, and mends what is not.
   (let ((text "pub record Place {\n    latitude: Decimal\n    /// Of it.\n    name: Option<Text>\n}\n
pub enum Sky {\n    Clear,\n    Clouds {\n        percent: Int\n    }\n}\n
@tool\npub fn find(\n    query: Text,\n    limit: Int\n) -> Result<Text, Sky>\n
/* a comment\n   of two lines */\nfn helper() -> Int {\n    {\n        12\n    }\n}\n"))
     (with-temp-buffer
       (flow-mode)
       (insert text)
       (indent-region (point-min) (point-max))
       (flow-test-check "what is indented stays" (equal (buffer-string) text) (buffer-string))
       (goto-char (point-min))
       (while (re-search-forward "^ +" nil t)
         (unless (nth 4 (save-excursion (syntax-ppss (point))))
           (replace-match "")))
       (indent-region (point-min) (point-max))
       (flow-test-check "what is not is indented" (equal (buffer-string) text) (buffer-string))
       (goto-char (point-min))
       (search-forward "latitude")
       (comment-line 1)
       (flow-test-check "a line becomes a comment" (progn (forward-line -1) (looking-at " *// latitude: Decimal"))
                        (buffer-substring (line-beginning-position) (line-end-position)))))))
