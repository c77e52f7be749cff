" The plugin lsp in Vim9 script.
function! Setup() abort
  autocmd User LspSetup call LspOptionsSet({'hoverInPreview': v:true})
endfunction

" It shows no codes, so what is said stands for them.
let s:codes = {
      \ 'has not been run': 'not-run', 'is unbound: ': 'unbound-no-table', 'no longer fits': 'drift',
      \ 'is no key of': 'unknown-key', 'Hasard': 'unknown-type'
      \ }

function! s:Code(text) abort
  for [l:said, l:code] in items(s:codes)
    if stridx(a:text, l:said) >= 0
      return l:code
    endif
  endfor
  return a:text
endfunction

function! Diagnostics() abort
  silent! lclose
  call setloclist(0, [])
  silent! LspDiag show
  let l:found = map(getloclist(0), {_, one -> [one.lnum, s:Code(one.text)]})
  silent! lclose
  return l:found
endfunction

function! Hover() abort
  if empty(Preview())
    LspHover
    sleep 200m
  endif
  return Preview()
endfunction
