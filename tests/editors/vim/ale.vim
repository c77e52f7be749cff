" ALE, as Debian has it.
function! Setup() abort
  let g:ale_linters_explicit = 0
  let g:ale_lint_delay = 10
  let g:ale_hover_to_preview = 1
endfunction

function! Diagnostics() abort
  return map(copy(ale#engine#GetLoclist(bufnr(''))), '[v:val.lnum, get(v:val, "code", "")]')
endfunction

function! Hover() abort
  if empty(Preview())
    ALEHover
    sleep 200m
  endif
  return Preview()
endfunction
