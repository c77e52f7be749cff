"""What would run for each binding, from where, and what is wrong with it: the report of `flow-lsp doctor`.

Read `model`, then `examination`, which puts the parts together: `bindings` (what is bound), `programs` (files that
are only looked at), `login_shell` and `brief_runs` (what runs, bounded), `advice` (what to do next). `text` and `data`
are the two forms of the report. No environment variable but PATH is in it, and what looks like a credential is masked.
"""
