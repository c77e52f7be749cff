" vim-lsp.
function! Setup() abort
  let g:lsp_hover_ui = 'preview'
  let g:lsp_diagnostics_echo_delay = 10
  let g:lsp_auto_enable = 1
endfunction

function! Diagnostics() abort
  let l:uri = lsp#utils#get_buffer_uri()
  let l:found = []
  for l:answer in values(lsp#internal#diagnostics#state#_get_all_diagnostics_grouped_by_server_for_uri(l:uri))
    let l:found += map(copy(l:answer.params.diagnostics), '[v:val.range.start.line + 1, v:val.code]')
  endfor
  return l:found
endfunction

function! Hover() abort
  if empty(Preview())
    LspHover
    sleep 200m
  endif
  return Preview()
endfunction
