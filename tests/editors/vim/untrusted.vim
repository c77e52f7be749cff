" With a client that cannot ask, nothing runs, and that is said.
execute 'source' $FLOW_TEST_DIRECTORY .. '/steps.vim'
execute 'source' $FLOW_TEST_DIRECTORY .. '/' .. $FLOW_TEST_CLIENT .. '.vim'

function! Story() abort
  edit flow.toml
  call Step('it is said that nothing was asked', {-> map(Diagnostics(), 'v:val[1]')},
        \ {seen -> index(seen, 'not-run') >= 0 && len(seen) == 1})
  call Report()
endfunction

call Setup()
autocmd VimEnter * call timer_start(1, {_ -> Story()})
