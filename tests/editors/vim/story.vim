" What is played with each client: the example is opened, what is said of it is shown, and text is judged as it is typed.

execute 'source' $FLOW_TEST_DIRECTORY .. '/steps.vim'
execute 'source' $FLOW_TEST_DIRECTORY .. '/' .. $FLOW_TEST_CLIENT .. '.vim'

function! Story() abort
  edit alerts.flow
  call Step('a .flow file has its filetype', {-> &filetype}, {seen -> seen ==# 'flow'})
  call Step('its comments are known', {-> &commentstring}, {seen -> seen ==# '// %s'})
  call Step('it is coloured', {-> [HighlightAt(1, 1), HighlightAt(5, 5), HighlightAt(15, 1)]},
        \ {seen -> seen ==# ['flowComment', 'flowStructure', 'flowAttribute']})
  call Step('an unbound Tool is told', {-> Diagnostics()}, {seen -> seen ==# [[16, 'unbound-no-table']]})
  call cursor(16, 8)
  call Step('a hover says how it stands', {-> Hover()},
        \ {seen -> seen =~# 'alerts' && seen =~# 'unbound'})
  call setline(16, substitute(getline(16), 'Set<Hazard>', 'Set<Hasard>', ''))
  doautocmd TextChanged
  call Step('text is judged as it is typed', {-> Diagnostics()},
        \ {seen -> index(seen, [16, 'unknown-type']) >= 0})
  silent! undo
  doautocmd TextChanged
  call Step('and once more when it is taken back', {-> Diagnostics()}, {seen -> seen ==# [[16, 'unbound-no-table']]})
  set nomodified

  edit weather.flow
  call Step('drift is told, for the command was asked', {-> Diagnostics()}, {seen -> seen ==# [[43, 'drift']]})

  edit flow.toml
  call Step('a flow.toml stays TOML', {-> &filetype}, {seen -> seen ==# 'toml'})
  call append(0, 'bogus = 1')
  doautocmd TextChanged
  call Step('a key that nobody knows is told', {-> Diagnostics()}, {seen -> index(seen, [1, 'unknown-key']) >= 0})
  set nomodified

  edit other.toml
  sleep 300m
  call Step('nothing is said of other TOML', {-> Diagnostics()}, {seen -> seen ==# []})
  call Report()
endfunction

call Setup()
autocmd VimEnter * call timer_start(1, {_ -> Story()})
