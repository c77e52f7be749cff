" Vim syntax file
" Language: Flow declarations (.flow)
" What the server reads is what is coloured: imports, items, types, comments. Of bodies, strings, numbers and comments.

if exists('b:current_syntax')
  finish
endif

" An item's first word in column 0 begins an item even where a bracket is still open, so each region ends there.
let s:item = 'matchgroup=NONE end=/^\ze\%(pub\|record\|enum\|opaque\|host\|fn\|import\)\>\%(\s*:\)\@!/ end=/^\ze@/'

syntax cluster flowComments contains=flowComment,flowDocComment,flowBlockComment
syntax cluster flowTypes
      \ contains=@flowComments,flowTypeName,flowType,flowCompound,flowModule,flowFunctionType,flowOperator,flowArguments,flowTuple

" The brackets have a group of their own: else what stands inside could begin at the very bracket that opens it.
"
" Types, wherever one may stand; of several that match at one place the last one counts.
syntax match flowTypeName /\K\k*/ contained
syntax match flowType /\<\%(Int\|Decimal\|Bool\|Text\|Bytes\|Instant\|Duration\|Unit\|Never\)\>/ contained
syntax match flowCompound /\<\%(List\|Set\|Dict\|Option\|Result\|Task\)\>/ contained
syntax match flowModule /\K\k*\ze\s*\.\s*\K/ contained nextgroup=flowPoint skipwhite
syntax match flowPoint /\./ contained nextgroup=flowMember skipwhite
syntax match flowMember /\K\k*/ contained
syntax match flowModule /\<json\ze\.Value\>/ contained nextgroup=flowJsonPoint
syntax match flowJsonPoint /\./ contained nextgroup=flowJson
syntax match flowJson /Value/ contained
syntax match flowFunctionType /\<fn\>\ze\s*(/ contained
syntax match flowOperator /->/ contained
execute 'syntax region flowArguments matchgroup=flowBracket start=/</ end=/>/' s:item 'contained transparent contains=@flowTypes'
execute 'syntax region flowTuple matchgroup=flowBracket start=/(/ end=/)/' s:item 'contained transparent contains=@flowTypes'
" Type parameters of a declaration, fields, what a constructor holds.
execute 'syntax region flowFields matchgroup=flowBracket start=/{/ end=/}/' s:item 'contained transparent contains=@flowTypes,flowField'
syntax match flowField /\K\k*\ze\s*:/ contained

" Bodies, and whatever else stands in brackets.
execute 'syntax region flowBody matchgroup=flowBracket start=/{/ end=/}/' s:item 'transparent contains=@flowComments,flowString,flowNumber,flowBody'
syntax match flowNumber /\k\@1<!\d[0-9_]*\%(\.\d\+\)\?/
syntax region flowString start=/"/ skip=/\\./ end=/"\|$/ contains=flowEscape
syntax match flowEscape /\\./ contained

" Items.
syntax match flowKeyword /\<\%(pub\|opaque\)\>\%(\s*:\)\@!/
syntax match flowStructure /\<record\>\%(\s*:\)\@!/ nextgroup=flowRecordName skipwhite
syntax match flowRecordName /\K\k*/ contained nextgroup=flowRecordParameters,flowFields skipwhite skipempty
execute 'syntax region flowRecordParameters matchgroup=flowBracket start=/</ end=/>/' s:item
      \ 'contained transparent contains=@flowTypes nextgroup=flowFields skipwhite skipempty'
syntax match flowStructure /\<enum\>\%(\s*:\)\@!/ nextgroup=flowEnumName skipwhite
syntax match flowEnumName /\K\k*/ contained nextgroup=flowEnumParameters,flowConstructors skipwhite skipempty
execute 'syntax region flowEnumParameters matchgroup=flowBracket start=/</ end=/>/' s:item
      \ 'contained transparent contains=@flowTypes nextgroup=flowConstructors skipwhite skipempty'
execute 'syntax region flowConstructors matchgroup=flowBracket start=/{/ end=/}/' s:item
      \ 'contained transparent contains=@flowComments,flowConstructor,flowFields,flowTuple'
syntax match flowConstructor /\K\k*/ contained
syntax match flowStructure /\<host\>\%(\s*:\)\@!/ nextgroup=flowHostName skipwhite
syntax match flowHostName /\K\k*/ contained
syntax match flowFunction /\<fn\>\%(\s*:\)\@!/ nextgroup=flowFunctionName skipwhite
syntax match flowFunctionName /\K\k*/ contained nextgroup=flowFunctionParameters,flowParameters skipwhite
execute 'syntax region flowFunctionParameters matchgroup=flowBracket start=/</ end=/>/' s:item
      \ 'contained transparent contains=@flowTypes nextgroup=flowParameters skipwhite'
execute 'syntax region flowParameters matchgroup=flowBracket start=/(/ end=/)/' s:item
      \ 'contained transparent contains=@flowTypes,flowParameter nextgroup=flowResult skipwhite skipempty'
syntax match flowParameter /\K\k*\ze\s*:/ contained
execute 'syntax region flowResult matchgroup=flowOperator start=/->/ matchgroup=NONE'
      \ 'end=/\%(\k\|[>)]\)\@1<=\s*$/ end=/\ze[{}]/' s:item 'contained transparent contains=@flowTypes'
syntax match flowAttribute /@\s*\K\k*/

" Imports.
syntax region flowImport matchgroup=flowInclude start=/^\s*\zsimport\>\%(\s*:\)\@!/ matchgroup=NONE end=/$/
      \ transparent contains=@flowComments,flowPath,flowAs,flowNames
syntax match flowPath +\%(\.\{1,2}/\)*[[:alnum:]_\-\u0080-\U10ffff]\++ contained nextgroup=flowSegment
syntax match flowSegment +/[[:alnum:]_\-./\u0080-\U10ffff]*[[:alnum:]_\-\u0080-\U10ffff]+ contained
syntax match flowAs /\<as\>/ contained nextgroup=flowAlias skipwhite
syntax match flowAlias /\K\k*/ contained
execute 'syntax region flowNames matchgroup=flowBracket start=/{/ end=/}/' s:item 'contained transparent contains=@flowComments,flowTypeName,flowNamesAs'
syntax match flowNamesAs /\<as\>/ contained

" Comments.
syntax keyword flowTodo TODO FIXME XXX contained
syntax region flowBlockComment start=+/\*+ end=+\*/+ contains=flowBlockComment,flowTodo,@Spell
syntax match flowComment +//.*$+ contains=flowTodo,@Spell
syntax match flowDocComment +///\%(/\)\@!.*$+ contains=@Spell

syntax sync minlines=200

highlight default link flowKeyword StorageClass
highlight default link flowStructure Structure
highlight default link flowRecordName Type
highlight default link flowEnumName Type
highlight default link flowHostName Type
highlight default link flowConstructor Constant
highlight default link flowFunction Keyword
highlight default link flowFunctionName Function
highlight default link flowFunctionType Keyword
highlight default link flowInclude Include
highlight default link flowAs Include
highlight default link flowNamesAs Include
highlight default link flowPath String
highlight default link flowSegment String
highlight default link flowAlias Identifier
highlight default link flowModule Identifier
highlight default link flowAttribute PreProc
highlight default link flowType Type
highlight default link flowJson Type
highlight default link flowCompound Type
highlight default link flowTypeName Type
highlight default link flowMember Type
highlight default link flowField Identifier
highlight default link flowParameter Identifier
highlight default link flowOperator Operator
highlight default link flowNumber Number
highlight default link flowString String
highlight default link flowEscape SpecialChar
highlight default link flowTodo Todo
highlight default link flowBlockComment Comment
highlight default link flowComment Comment
highlight default link flowDocComment SpecialComment

unlet s:item
let b:current_syntax = 'flow'
