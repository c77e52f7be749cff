;;; The story of tests/editors/editor_story.py, as a person plays it.  -*- lexical-binding: t; -*-

(load (expand-file-name "session.el" (getenv "FLOW_TEST_DIRECTORY")))

(defconst flow-test-command "python3 weather_tools.py")

(defun flow-test-has (buffer count &rest texts)
  "Whether BUFFER has COUNT findings, which hold TEXTS together; waited for."
  (flow-test-wait
   (lambda ()
     (let ((found (flow-test-findings buffer)))
       (and (= (length found) count)
            (let ((all (string-join found "\n")))
              (seq-every-p (lambda (text) (string-search text all)) texts)))))))

(defun flow-test-fix (place title)
  "Choose TITLE of what is offered behind PLACE in the current buffer."
  (goto-char (point-min))
  (search-forward place)
  (when (overlayp (bound-and-true-p eglot--suggestion-overlay))
    (delete-overlay eglot--suggestion-overlay)) ; as any key of a person does
  (let ((flow-test-answer title) (last-nonmenu-event t) (before (length flow-test-questions)))
    (call-interactively #'eglot-code-actions)
    (flow-test-wait (lambda () (> (length flow-test-questions) before)))
    (flow-test-check (concat "what is offered is " title) (member title (nth 1 (car flow-test-questions)))
                     (car flow-test-questions))))

(defun flow-test-states (buffer)
  "The states that the lenses of BUFFER tell of."
  (with-current-buffer buffer
    (let (states)
      (mapc (lambda (lens)
              (let ((command (plist-get lens :command)))
                (when (equal (plist-get command :command) "flow.tool.explain")
                  (push (plist-get command :title) states))))
            (jsonrpc-request (eglot-current-server) :textDocument/codeLens
                             (list :textDocument (list :uri (flow--uri)))))
      (nreverse states))))

(defun flow-test-shows (buffer &rest states)
  "Whether the lenses of BUFFER tell of STATES, waited for."
  (flow-test-wait (lambda () (equal (flow-test-states buffer) states))))

(flow-test-run
 (lambda ()
   (let ((fits (concat "fits · " flow-test-command))
         (workspace (file-name-as-directory (getenv "FLOW_TEST_WORKSPACE")))
         weather manifest)
     (flow-eglot-mode 1)

     ;; 1. Nothing is bound.
     (find-file (expand-file-name "weather.flow" workspace))
     (setq weather (current-buffer))
     (flow-test-check "a .flow file has its mode" (eq major-mode 'flow-mode) major-mode)
     (flow-test-check "a server looks after it" (flow-test-wait #'eglot-managed-p))
     (flow-test-check "both Tools are unbound" (flow-test-has weather 2 "unbound-no-manifest")
                      (flow-test-findings weather))
     (flow-test-check "which the mode line says"
                      (flow-test-wait (lambda () (equal (flow--mode-line) "[2 unfit]"))) (flow--mode-line))

     ;; 2. A manifest.
     (flow-test-fix "fn forecas" "Create flow.toml beside this file, with a table for this file")
     (setq manifest (flow-test-buffer "flow.toml"))
     (flow-test-check "a flow.toml is made and shown"
                      (and manifest (flow-test-wait (lambda () (get-buffer-window manifest)))))
     (with-current-buffer manifest
       (flow-test-check "with a table for the file" (string-search "[tools.\"weather.flow\"]" (buffer-string))
                        (buffer-string))
       (flow-test-check "in a mode for TOML" (not (derived-mode-p 'flow-mode)) major-mode)
       (flow-test-check "the server looks after it" (flow-test-wait #'eglot-managed-p)))
     (select-window (get-buffer-window manifest))
     (flow-test-check "point is where the command belongs" (looking-back "command = \"" (line-beginning-position))
                      (point))

     ;; 3. The question.
     (setq flow-test-answer "Always for this command here")
     (insert flow-test-command)
     (save-buffer)
     (flow-test-wait (lambda () (flow-test-asked "wants to run")))
     (flow-test-check "the question has the whole command"
                      (flow-test-asked (concat "The whole command: " flow-test-command)) flow-test-questions)
     (flow-test-check "and its directory"
                      (flow-test-asked (concat "in the directory " (directory-file-name workspace)))
                      flow-test-questions)
     (flow-test-check "with three answers" (equal (nth 1 (car (flow-test-asked "wants to run")))
                                                  '("Run once" "Always for this command here" "Never")))

     ;; 4. Both fit.
     (flow-test-check "both fit" (flow-test-shows weather fits fits) (flow-test-states weather))
     (flow-test-check "there is nothing to say" (and (flow-test-has weather 0) (flow-test-has manifest 0))
                      (list (flow-test-findings weather) (flow-test-findings manifest)))
     (with-current-buffer weather
       (flow-test-check "nor in the mode line" (flow-test-wait (lambda () (equal (flow--mode-line) "")))
                        (flow--mode-line)))

     ;; 5. Drift.
     (pop-to-buffer weather)
     (goto-char (point-min))
     (search-forward "days: Int")
     (replace-match "days: Decimal")
     (save-buffer)
     (flow-test-check "drift is told, in words"
                      (flow-test-has weather 1 "drift" "parameter `days` is Decimal here and Int there")
                      (flow-test-findings weather))
     (flow-test-check "and by the lens" (flow-test-shows weather fits (concat "drift · " flow-test-command))
                      (flow-test-states weather))
     (flow-what-changed)
     (let ((diff (flow-test-wait (lambda () (get-buffer "*Diff*")))))
       (flow-test-check "what changed is a difference"
                        (and diff (flow-test-reads diff "days: Int") (flow-test-reads diff "days: Decimal"))
                        (and diff (flow-test-text diff))))
     (with-current-buffer weather
       (flow-tools)
       (let ((list (flow-test-wait (lambda () (get-buffer "*Flow tools*")))))
         (flow-test-check "the list has what does not fit" (and list (flow-test-reads list "weather.flow:43: `forecast` no longer fits"))
                          (and list (flow-test-text list)))))

     ;; 6. The generated types.
     (pop-to-buffer weather)
     (flow-test-fix "fn forecas" "Update generated types in flow_tools.py")
     (let ((generated (flow-test-buffer "flow_tools.py")))
       (flow-test-check "the types are another" (flow-test-wait (lambda () (buffer-modified-p generated))))
       (with-current-buffer generated (save-buffer)))
     (flow-test-check "both fit again" (flow-test-shows weather fits fits) (flow-test-states weather))
     (flow-test-check "and nothing is left to say" (and (flow-test-has weather 0) (flow-test-has manifest 0))
                      (flow-test-findings weather))

     ;; The page.
     (pop-to-buffer weather)
     (goto-char (point-min))
     (search-forward "fn forecas")
     (flow-schema)
     (let ((page (flow-test-wait (lambda () (get-buffer "*Flow: weather.forecast*")))))
       (flow-test-check "the page of the Tool is shown" (and page (flow-test-reads page "record Forecast {")))
       (with-current-buffer page
         (goto-char (point-min))
         (search-forward "place: Pla")
         (push-button (point))
         (flow-test-check "a type leads to its declaration" (looking-at "Place\n")
                          (buffer-substring (point) (line-end-position)))
         (flow-test-check "which is coloured" (progn (search-forward "record Pla")
                                                     (eq (get-text-property (point) 'face) 'font-lock-type-face))
                          (get-text-property (point) 'face))
         (goto-char (point-min))
         (search-forward "\nPlac")
         (push-button (point))))
     (flow-test-check "its heading leads to the file" (and (eq (current-buffer) weather) (looking-at "Place {"))
                      (buffer-name))

     ;; 7. A call.
     (goto-char (point-min))
     (search-forward "fn forecas")
     (flow-call)
     (let ((arguments (flow-test-buffer "forecast.flow-call.json")) result)
       (flow-test-check "the arguments are shown" (flow-test-wait (lambda () (get-buffer-window arguments))))
       (with-current-buffer arguments
         (flow-test-check "the server looks after them" (flow-test-wait #'eglot-managed-p) major-mode)
         (erase-buffer)
         (insert "{\"place\": {\"latitude\": 52.5, \"longitude\": 13.4}, \"days\": \"x\"}")
         (flow-test-check "a wrong one is told" (flow-test-has arguments 1 "A number is expected for Decimal")
                          (flow-test-findings arguments))
         (goto-char (point-min))
         (search-forward "\"x\"")
         (replace-match "2")
         (flow-test-check "a right one is not" (flow-test-has arguments 0) (flow-test-findings arguments))
         (flow-call-run)
         (setq result (flow-test-buffer "forecast.flow-result.json"))
         (flow-test-check "the call came to Ok" (flow-test-reads result "\"Ok\": [") (and result (flow-test-text result)))
         (flow-test-check "with two days" (= 2 (cl-count-if (lambda (line) (string-search "\"day\": " line))
                                                             (split-string (flow-test-text result) "\n")))
                          (flow-test-text result))
         (flow-test-check "in sight, and not to be written into"
                          (and (get-buffer-window result) (buffer-local-value 'buffer-read-only result)))
         (goto-char (point-min))
         (search-forward ": 2")
         (replace-match ": 3")
         (flow-call-run)
         (flow-test-check "the next one takes its place" (flow-test-reads result "\"days\": 3") (flow-test-text result))
         (save-buffer)))
     (flow-test-check "consent was asked for once" (= 1 (length (flow-test-asked "wants to run"))) flow-test-questions)
     (flow-test-check "one server did it all" (= 1 (length (flow--servers)))))))
