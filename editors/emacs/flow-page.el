;;; flow-page.el --- What is to be read of Flow Tools  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; The page of a Tool, in which the name of each type leads to its
;; declaration, and the list of the Tools of a workspace.

;;; Code:

(require 'flow-eglot)
(require 'button)

(defvar flow-page-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map (make-composed-keymap button-buffer-map special-mode-map))
    map)
  "Keys of `flow-page-mode'.")

(define-derived-mode flow-page-mode special-mode "Flow page"
  "Major mode for the page of a Tool.

\\{flow-page-mode-map}"
  (setq-local truncate-lines nil)
  (visual-line-mode 1))

(defun flow-page--coloured (text)
  "TEXT in the colours of `flow-mode'."
  (with-temp-buffer
    (insert text)
    (delay-mode-hooks (flow-mode))
    (font-lock-ensure)
    (buffer-string)))

(defun flow-page--paragraph (text &optional face)
  "Insert TEXT in FACE, and an empty line; nothing where there is none."
  (when (and (stringp text) (not (string-empty-p text)))
    (insert (if face (propertize text 'face face) text) "\n\n")))

(defun flow-page--go (button)
  "Go to the section that BUTTON leads to."
  (let ((section (button-get button 'flow-to)) (place (point-min)))
    (while (and place (not (equal (get-text-property place 'flow-section) section)))
      (setq place (next-single-property-change place 'flow-section)))
    (when place
      (push-mark)
      (goto-char place)
      (when (eq (window-buffer) (current-buffer))
        (recenter 0)))))

(defun flow-page--visit (button)
  "Go to where the type of BUTTON is declared."
  (let ((location (button-get button 'flow-location)))
    (pop-to-buffer (find-file-noselect (flow--path (plist-get location :uri))))
    (let ((start (plist-get (plist-get location :range) :start)))
      (goto-char (point-min))
      (forward-line (plist-get start :line))
      (forward-char (min (plist-get start :character) (- (line-end-position) (point)))))))

(defun flow-page--lines (lines)
  "Insert LINES, each a vector of pieces, as Flow text that leads on."
  (let* ((text (mapconcat (lambda (pieces) (mapconcat (lambda (piece) (plist-get piece :text)) pieces "")) lines "\n"))
         (start (point)))
    (insert (flow-page--coloured text) "\n\n")
    (save-excursion
      (goto-char start)
      (mapc (lambda (pieces)
              (mapc (lambda (piece)
                      (let ((end (+ (point) (length (plist-get piece :text)))))
                        (when (plist-get piece :to)
                          (make-text-button (point) end 'flow-to (plist-get piece :to)
                                            'action #'flow-page--go 'follow-link t))
                        (goto-char end)))
                    pieces)
              (forward-char))
            lines))))

(defun flow-page--section (section)
  "Insert SECTION."
  (let ((start (point)) (location (plist-get section :location)) (heading (plist-get section :heading)))
    (if location
        (insert-text-button heading 'flow-location location 'action #'flow-page--visit 'follow-link t
                            'face '(:inherit (bold link)))
      (insert (propertize heading 'face 'bold)))
    (insert "\n\n")
    (put-text-property start (1+ start) 'flow-section (plist-get section :id))
    (flow-page--paragraph (plist-get section :doc))
    (flow-page--lines (plist-get section :lines))
    (flow-page--paragraph (mapconcat (lambda (note) (concat "- " note)) (plist-get section :notes) "\n"))))

(defun flow-page-show (page)
  "Show PAGE, an answer of flow.tool.page."
  (with-current-buffer (get-buffer-create (format "*Flow: %s*" (plist-get page :identity)))
    (let ((inhibit-read-only t) (directory default-directory))
      (erase-buffer)
      (flow-page-mode)
      (setq default-directory directory)
      (flow-page--paragraph (plist-get page :detail))
      (mapc #'flow-page--section (plist-get page :sections))
      (goto-char (point-min)))
    (pop-to-buffer (current-buffer) '((display-buffer-reuse-window display-buffer-pop-up-window)))))

(defun flow-page-show-tools (answer all root)
  "Show the Tools of ANSWER, of flow/tools, that do not fit; with ALL, every one.
Places are as `compilation-mode' reads them, below ROOT."
  (let (lines)
    (mapc (lambda (manifest)
            (mapc (lambda (file)
                    (mapc (lambda (tool)
                            (when (or all (member (plist-get tool :state)
                                                  '("drift" "unserved" "describe-failed" "unbound" "refused")))
                              (push (format "%s:%d: %s"
                                            (file-relative-name (flow--path (plist-get file :uri)) root)
                                            (1+ (plist-get (plist-get (plist-get tool :range) :start) :line))
                                            (replace-regexp-in-string "[\n\r]+" " " (plist-get tool :detail)))
                                    lines)))
                          (plist-get file :tools)))
                  (plist-get manifest :files)))
          (plist-get answer :manifests))
    (if (null lines)
        (message (if all "No Tools are declared" "No Tool is unfit"))
      (with-current-buffer (get-buffer-create "*Flow tools*")
        (let ((inhibit-read-only t))
          (erase-buffer)
          (insert (string-join (nreverse lines) "\n") "\n"))
        (setq default-directory root)
        (compilation-mode "Flow tools")
        (setq-local default-directory root)
        (goto-char (point-min))
        (display-buffer (current-buffer))))))

(provide 'flow-page)
;;; flow-page.el ends here
