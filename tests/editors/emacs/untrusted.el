;;; A workspace that is bound, and that nobody agreed to: nothing of it is started, whatever is looked at.  -*- lexical-binding: t; -*-

(load (expand-file-name "session.el" (getenv "FLOW_TEST_DIRECTORY")))

(defvar eglot-lsp-context)

(flow-test-run
 (lambda ()
   (let (weather arguments)
     (flow-eglot-mode 1)
     ;; From the manifest, in whatever mode that is.
     (find-file (expand-file-name "flow.toml" (getenv "FLOW_TEST_WORKSPACE")))
     (flow-test-check "a server looks after flow.toml" (flow-test-wait #'eglot-managed-p) major-mode)
     (flow-test-check "and after its folder" (equal (project-root (eglot--project (eglot-current-server)))
                                                    (file-name-as-directory (getenv "FLOW_TEST_WORKSPACE")))
                      (eglot--project (eglot-current-server)))
     (let ((inner (expand-file-name "inner/" (getenv "FLOW_TEST_WORKSPACE"))) (eglot-lsp-context t))
       (make-directory (expand-file-name "deep/" inner) t)
       (write-region "" nil (expand-file-name "flow.toml" inner))
       (flow-test-check "also from below an inner manifest"
                        (equal (flow--root (expand-file-name "deep/" inner)) (eglot--project (eglot-current-server)))
                        (flow--root (expand-file-name "deep/" inner))))
     (find-file (expand-file-name "other.toml" (getenv "FLOW_TEST_WORKSPACE")))
     (flow-test-check "and after no other TOML file" (not (eglot-managed-p)) major-mode)

     (find-file (expand-file-name "weather.flow" (getenv "FLOW_TEST_WORKSPACE")))
     (setq weather (current-buffer))
     (flow-test-check "one server looks after both" (and (flow-test-wait #'eglot-managed-p)
                                                         (= 1 (length (flow--servers)))))
     (flow-test-check "the question is put" (flow-test-wait (lambda () (flow-test-asked "wants to run")))
                      flow-test-questions)
     (goto-char (point-min))
     (search-forward "fn forecas")
     (flow-call)
     (setq arguments (flow-test-buffer "forecast.flow-call.json"))
     (with-current-buffer arguments
       (flow-test-wait #'eglot-managed-p)
       (flow-call-run))
     (let ((result (flow-test-buffer "forecast.flow-result.json")))
       (flow-test-check "a call says why nothing ran" (flow-test-reads result "\"NotRun\": ")
                        (and result (flow-test-text result))))
     (setq flow-test-answer "Never")
     (with-current-buffer weather
       (flow-describe))
     (flow-test-check "it is asked again when a person wants it"
                      (flow-test-wait (lambda () (= 3 (length (flow-test-asked "wants to run")))))
                      flow-test-questions)
     (with-current-buffer weather
       (flow-doctor))
     (let ((report (flow-test-wait (lambda () (get-buffer "*Flow doctor*")))))
       (flow-test-check "the doctor says what would run" (flow-test-reads report "command  python3 weather_tools.py")
                        (and report (flow-test-text report)))))))
