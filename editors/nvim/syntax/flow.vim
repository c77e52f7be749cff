" Vim syntax file
" Language: Flow declarations (.flow)
" What the server reads is what is coloured: items, types, comments. Bodies are left plain.

if exists('b:current_syntax')
  finish
endif

syntax keyword flowKeyword pub opaque
syntax keyword flowStructure record enum host
syntax keyword flowFunction fn nextgroup=flowFunctionName skipwhite
syntax keyword flowInclude import as
syntax match flowFunctionName /\K\k*/ contained
syntax match flowAttribute /@\K\k*/
syntax keyword flowType Int Decimal Bool Text Bytes Instant Duration Unit Never
syntax keyword flowCompound List Set Dict Option Result Task
syntax match flowTypeName /\<[[:upper:]]\k*/
syntax match flowField /\<\K\k*\ze\s*:/
syntax match flowOperator /->/
syntax keyword flowTodo TODO FIXME XXX contained

syntax region flowString start=/"/ skip=/\\./ end=/"\|$/
syntax region flowBlockComment start=+/\*+ end=+\*/+ contains=flowBlockComment,flowTodo,@Spell
syntax match flowComment +//.*$+ contains=flowTodo,@Spell
syntax match flowDocComment +///\%(/\)\@!.*$+ contains=@Spell

syntax sync minlines=200

highlight default link flowKeyword StorageClass
highlight default link flowStructure Structure
highlight default link flowFunction Keyword
highlight default link flowFunctionName Function
highlight default link flowInclude Include
highlight default link flowAttribute PreProc
highlight default link flowType Type
highlight default link flowCompound Type
highlight default link flowTypeName Type
highlight default link flowField Identifier
highlight default link flowOperator Operator
highlight default link flowString String
highlight default link flowTodo Todo
highlight default link flowBlockComment Comment
highlight default link flowComment Comment
highlight default link flowDocComment SpecialComment

let b:current_syntax = 'flow'
