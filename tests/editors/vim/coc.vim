" coc.nvim, which needs Node.
function! Setup() abort
  let g:coc_start_at_startup = 1
  let g:coc_disable_startup_warning = 1
endfunction

function! Diagnostics() abort
  let l:path = expand('%:p')
  return map(filter(CocAction('diagnosticList'), {_, one -> one.file ==# l:path}), {_, one -> [one.lnum, one.code]})
endfunction

function! Hover() abort
  return join(CocAction('getHover'), "\n")
endfunction
