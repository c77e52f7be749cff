" Vim syntax file
" Language: Flow declarations (.flow)
" There is one for Vim and Neovim, in the Neovim plugin beside this directory.

if exists('b:current_syntax')
  finish
endif

let s:shared = fnamemodify(resolve(expand('<sfile>:p')), ':h:h:h') .. '/nvim/syntax/flow.vim'
if filereadable(s:shared)
  execute 'source' fnameescape(s:shared)
endif
