" Vim syntax file
" Language: the page of a Tool, made by lua/flow_lsp/pages.lua

if exists('b:current_syntax')
  finish
endif

syntax include @flow syntax/flow.vim
unlet! b:current_syntax

syntax match flowpageTitle /^# .*$/ contains=flowpageMark
syntax match flowpageHeading /^## .*$/ contains=flowpageMark
syntax match flowpageMark /^#\+ / contained conceal
syntax match flowpageNote /^- /
syntax match flowpageCode /`[^`]\+`/
syntax region flowpageDeclaration start=/^    / end=/^\%(    \)\@!/me=s-1 contains=@flow keepend

highlight default link flowpageTitle Title
highlight default link flowpageHeading Title
highlight default link flowpageMark Delimiter
highlight default link flowpageNote Special
highlight default link flowpageCode String

let b:current_syntax = 'flowpage'
