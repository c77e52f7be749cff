" The steps of a session and what was seen, for tests/editors/test_vim.py. A client's script gives three functions:
" Setup() before anything is opened, Diagnostics() of the current buffer as [[line, code], ...], and Hover() as text.

let g:steps = []

" Waits until Seen() gives what is right, at most twenty seconds, and notes it.
function! Step(name, Seen, Right) abort
  let l:end = reltime()
  let l:seen = v:null
  let l:right = 0
  while !l:right && reltimefloat(reltime(l:end)) < 20
    try
      let l:seen = a:Seen()
      let l:right = a:Right(l:seen)
    catch
      let l:seen = v:exception .. ' at ' .. v:throwpoint
    endtry
    if !l:right
      call listener_flush()
      sleep 20m
    endif
  endwhile
  call add(g:steps, {'name': a:name, 'right': l:right ? v:true : v:false, 'seen': l:seen})
endfunction

" Leaves Vim with what was noted in the file that the test named.
function! Report() abort
  call writefile([json_encode(g:steps)], $FLOW_TEST_REPORT)
  qall!
endfunction

function! HighlightAt(line, column) abort
  return synIDattr(synID(a:line, a:column, 1), 'name')
endfunction

" The text of the preview window, empty while there is none.
function! Preview() abort
  for l:window in range(1, winnr('$'))
    if getwinvar(l:window, '&previewwindow') || getwinvar(l:window, '&filetype') =~# '^ale-preview'
      return join(getbufline(winbufnr(l:window), 1, '$'), "\n")
    endif
  endfor
  return ''
endfunction
