-- The colours of Flow text, by the very assertions that the grammar of the VS Code extension is tested with.
local session = dofile(vim.env.FLOW_TEST_DIRECTORY .. '/session.lua')

-- Groups of the syntax file by the scopes of that grammar; a scope of two words stands before its first one.
local groups = {
  { 'comment.line.documentation', 'flowDocComment' },
  { 'comment.line.double-slash', 'flowComment' },
  { 'comment.block', 'flowBlockComment' },
  { 'entity.name.function.decorator', 'flowAttribute' },
  { 'punctuation.definition.decorator', 'flowAttribute' },
  { 'entity.name.function', 'flowFunctionName' },
  { 'entity.name.namespace', 'flowModule', 'flowAlias' },
  { 'entity.name.type.record', 'flowRecordName' },
  { 'entity.name.type.enum', 'flowEnumName' },
  { 'entity.name.type', 'flowTypeName', 'flowMember', 'flowHostName' },
  { 'keyword.control.import', 'flowInclude' },
  { 'keyword.control.as', 'flowAs', 'flowNamesAs' },
  { 'keyword.declaration.function', 'flowFunction', 'flowFunctionType' },
  { 'keyword.declaration', 'flowStructure' },
  { 'keyword.operator.arrow', 'flowOperator' },
  { 'storage.modifier', 'flowKeyword' },
  { 'string.unquoted.import', 'flowPath', 'flowSegment' },
  { 'string.quoted.double', 'flowString', 'flowEscape' },
  { 'constant.numeric', 'flowNumber' },
  { 'support.type.primitive', 'flowType', 'flowJson' },
  { 'support.type.compound', 'flowCompound' },
  { 'variable.other.enummember', 'flowConstructor' },
  { 'variable.other.property', 'flowField' },
  { 'variable.parameter', 'flowParameter' },
}

local function groups_of(scope)
  for _, known in ipairs(groups) do
    if vim.startswith(scope, known[1]) then
      return { unpack(known, 2) }
    end
  end
end

--- The marked columns of a line of assertions, in characters from 1, and what stands behind them; nil for any other.
local function assertion(line)
  local indent, arrow, dashes, scopes = line:match('^(%s*//)%s*(<)([~-]+)%s+(.*)$')
  if arrow then
    local first = #indent - 1
    return first, first + #dashes - 1, scopes
  end
  local before, carets, rest = line:match('^(%s*//%s*)(%^+)%s+(.*)$')
  if before then
    return #before + 1, #before + #carets, rest
  end
end

local seen = 0

local function check_file(path)
  vim.cmd.edit(vim.fn.fnameescape(path))
  local source
  for row, line in ipairs(session.lines(0)) do
    local first, last, scopes = assertion(line)
    if not first then
      source = row
    else
      local wanted = scopes:match('^[^-%s]%S*')
      local unwanted = scopes:match('%- ([%w.]+)')
      local text = vim.fn.getline(source)
      for column = first, last do
        local byte = vim.str_byteindex(text, 'utf-32', column - 1, false) + 1
        local group = vim.fn.synIDattr(vim.fn.synID(source, byte, 1), 'name')
        local right = not wanted or vim.list_contains(groups_of(wanted) or {}, group)
        right = right and not (unwanted and vim.list_contains(groups_of(unwanted) or {}, group))
        seen = seen + 1
        if not right then
          session.check(('%s:%d:%d is %s'):format(vim.fs.basename(path), source, column, scopes), false, group)
          break
        end
      end
    end
  end
end

session.run(function()
  local files = vim.fn.glob(vim.env.FLOW_TEST_GRAMMAR .. '/*.test.flow', true, true)
  for _, path in ipairs(files) do
    check_file(path)
  end
  session.check('there is much that was looked at', seen > 200, seen)

  -- Text that is not finished leaves the items below it as they are.
  vim.cmd.enew()
  vim.bo.filetype = 'flow'
  vim.api.nvim_buf_set_lines(0, 0, -1, false,
    { 'pub fn find(query: Text, of: List<', '', 'record Hit { url: Option<', '@tool', 'pub enum Sky { Clear, Wet { of: (',
      'record A { b: Int }' })
  local function group(row, column)
    return vim.fn.synIDattr(vim.fn.synID(row, column, 1), 'name')
  end
  local found = { group(3, 1), group(3, 14), group(4, 2), group(5, 1), group(5, 16) }
  vim.list_extend(found, { group(6, 1), group(6, 12), group(6, 15) })
  session.check('an item begins where the one before is not finished', vim.deep_equal(found, {
    'flowStructure', 'flowField', 'flowAttribute', 'flowKeyword', 'flowConstructor',
    'flowStructure', 'flowField', 'flowType',
  }), found)
end)
