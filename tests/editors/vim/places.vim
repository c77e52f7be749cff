" Which files are the server's, and which folder it is given; no client is there.
execute 'source' $FLOW_TEST_DIRECTORY .. '/steps.vim'

function! Story() abort
  let l:here = resolve(getcwd())
  call Step('only .flow files and manifests are ours',
        \ {-> map(['a.flow', 'x/flow.toml', 'other.toml', 'a.flow-text', 'a.flow.json', 'myflow.toml'], 'flow_lsp#is_ours(v:val)')},
        \ {seen -> seen ==# [1, 1, 0, 0, 0, 0]})
  call Step('without anything the folder is the own one of the file', {-> flow_lsp#root(l:here .. '/a/b/c.flow')},
        \ {seen -> seen ==# l:here .. '/a/b'})
  call writefile([], 'a/b/flow.toml')
  call writefile([], 'a/flow.toml')
  call Step('else the outermost with a flow.toml', {-> flow_lsp#root(l:here .. '/a/b/c.flow')},
        \ {seen -> seen ==# l:here .. '/a'})
  call mkdir('a/b/.git')
  call Step('a repository comes before all', {-> flow_lsp#root('a/b/c.flow')}, {seen -> seen ==# l:here .. '/a/b'})
  call delete('a/b/.git', 'd')
  call writefile(['gitdir: elsewhere'], '.git')
  call Step('a worktree is one too', {-> flow_lsp#root('a/b/c.flow')}, {seen -> seen ==# l:here})
  call Step('coc is told the command and the settings', {-> g:coc_user_config['languageserver.flow']},
        \ {seen -> seen.command ==# 'flow-lsp' && seen.args ==# [] && seen.settings ==# {'flow': {'trust': 'always'}}})
  let g:flow_lsp_command = ['uvx', 'flow-lsp']
  let g:coc_user_config = {'languageserver.flow': {'command': 'mine'}}
  call flow_lsp#coc()
  call Step('but not over what the user says', {-> g:coc_user_config['languageserver.flow'].command},
        \ {seen -> seen ==# 'mine'})
  unlet g:coc_user_config
  call flow_lsp#coc()
  call Step('a command may have several words',
        \ {-> [g:coc_user_config['languageserver.flow'].command, g:coc_user_config['languageserver.flow'].args]},
        \ {seen -> seen ==# ['uvx', ['flow-lsp']]})
  edit other.flow-text
  call Step('texts to be shown are Flow too', {-> &filetype}, {seen -> seen ==# 'flow'})
  call Report()
endfunction

autocmd VimEnter * call timer_start(1, {_ -> Story()})
