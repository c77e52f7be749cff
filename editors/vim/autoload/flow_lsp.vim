" What each of Vim's language clients is told of the server.

" The words that start it: g:flow_lsp_command, or flow-lsp from PATH.
function! flow_lsp#command() abort
  return get(g:, 'flow_lsp_command', ['flow-lsp'])
endfunction

" The settings, as docs/settings.md has them below `flow`: g:flow_lsp_settings.
function! flow_lsp#settings() abort
  return get(g:, 'flow_lsp_settings', {})
endfunction

" Whether the server is for this file: every .flow file, and of TOML those alone that are called flow.toml.
function! flow_lsp#is_ours(path) abort
  return fnamemodify(a:path, ':e') ==# 'flow' || fnamemodify(a:path, ':t') ==# 'flow.toml'
endfunction

" The folder that the server looks after: the repository the file is in, else the outermost directory above it with a
" flow.toml, else the file's own. Sources may import from all of it, so the nearest flow.toml would be too little.
function! flow_lsp#root(path) abort
  let l:folder = fnamemodify(resolve(fnamemodify(a:path, ':p')), ':h')
  let l:root = l:folder
  let l:above = l:folder
  while 1
    if l:above !=# resolve($HOME) && (isdirectory(l:above .. '/.git') || filereadable(l:above .. '/.git'))
      return l:above
    endif
    if filereadable(l:above .. '/flow.toml')
      let l:root = l:above
    endif
    let l:next = fnamemodify(l:above, ':h')
    if l:next ==# l:above
      return l:root
    endif
    let l:above = l:next
  endwhile
endfunction

" vim-lsp (prabirshrestha): asks for the command and the folder anew for each buffer.
function! flow_lsp#vim_lsp() abort
  call lsp#register_server({
        \ 'name': 'flow-lsp',
        \ 'allowlist': ['flow', 'toml'],
        \ 'cmd': {_ -> flow_lsp#is_ours(expand('%:p')) ? flow_lsp#command() : []},
        \ 'root_uri': {_ -> lsp#utils#path_to_uri(flow_lsp#root(expand('%:p')))},
        \ 'initialization_options': {'flow': flow_lsp#settings()},
        \ 'workspace_config': {'flow': flow_lsp#settings()},
        \ })
endfunction

" lsp (yegappan): goes by filetypes alone, so that the server is started for any TOML file, of which it then says nothing.
" Of several markers it takes the nearest, so flow.toml is none; without a repository it takes Vim's working directory.
function! flow_lsp#yegappan() abort
  let l:words = flow_lsp#command()
  call LspAddServer([{
        \ 'name': 'flow-lsp',
        \ 'filetype': ['flow', 'toml'],
        \ 'path': l:words[0],
        \ 'args': l:words[1:],
        \ 'rootSearch': ['.git/'],
        \ 'initializationOptions': {'flow': flow_lsp#settings()},
        \ 'workspaceConfig': {'flow': flow_lsp#settings()},
        \ }])
endfunction

" coc.nvim: `languageserver` as in coc-settings.json. It is read when coc starts.
function! flow_lsp#coc() abort
  let l:words = flow_lsp#command()
  let g:coc_user_config = extend(get(g:, 'coc_user_config', {}), {'languageserver.flow': {
        \ 'command': l:words[0],
        \ 'args': l:words[1:],
        \ 'filetypes': ['flow', 'toml'],
        \ 'rootPatterns': ['.git', 'flow.toml'],
        \ 'initializationOptions': {'flow': flow_lsp#settings()},
        \ 'settings': {'flow': flow_lsp#settings()},
        \ }}, 'keep')
endfunction

" ALE: one linter for each filetype; both come to the same server. ALE starts nothing where there is no folder.
function! flow_lsp#ale(filetype) abort
  call ale#linter#Define(a:filetype, {
        \ 'name': 'flow_lsp',
        \ 'aliases': ['flow-lsp'],
        \ 'lsp': 'stdio',
        \ 'executable': {_ -> flow_lsp#command()[0]},
        \ 'command': {_ -> join(['%e'] + map(copy(flow_lsp#command()[1:]), 'ale#Escape(v:val)'))},
        \ 'language': a:filetype,
        \ 'project_root': {buffer -> flow_lsp#is_ours(bufname(buffer)) ? flow_lsp#root(bufname(buffer)) : ''},
        \ 'initialization_options': {_ -> {'flow': flow_lsp#settings()}},
        \ 'lsp_config': {_ -> {'flow': flow_lsp#settings()}},
        \ })
endfunction
