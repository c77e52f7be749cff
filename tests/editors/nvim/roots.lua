-- What the server is started for, and with which folder. Nothing is started here.
local session = dofile(vim.env.FLOW_TEST_DIRECTORY .. '/session.lua')
local workspace = vim.env.FLOW_TEST_WORKSPACE

--- A file below the workspace, with the directories and files that are to be there.
local function place(...)
  for _, path in ipairs({ ... }) do
    path = workspace .. '/' .. path
    vim.fn.mkdir(path:sub(-1) == '/' and path or vim.fs.dirname(path), 'p')
    if path:sub(-1) ~= '/' then
      vim.fn.writefile({}, path)
    end
  end
end

--- The root that the server would be started with for a file; nil where it would not be started.
local function root_of(path)
  vim.cmd.edit(vim.fn.fnameescape(workspace .. '/' .. path))
  local root
  vim.lsp.config['flow_lsp'].root_dir(0, function(found) root = found end)
  return root
end

local function check(name, path, expected)
  local root = root_of(path)
  session.check(name, root == (expected and vim.fs.normalize(workspace .. '/' .. expected)), root or 'none')
end

session.run(function()
  place('repository/.git/', 'repository/a/flow.toml', 'repository/a/b/x.flow')
  check('the repository is the root, for sources import from all of it', 'repository/a/b/x.flow', 'repository')
  check('also for its manifest', 'repository/a/flow.toml', 'repository')

  place('outer/flow.toml', 'outer/a/b/flow.toml', 'outer/a/b/x.flow')
  vim.fn.delete(workspace .. '/flow.toml')
  check('without one, the outermost directory with a flow.toml', 'outer/a/b/x.flow', 'outer')

  place('alone/x.flow')
  check('without that, the directory of the file', 'alone/x.flow', 'alone')

  place('100% #1 dir/x.flow')
  check('a name is a name', '100% #1 dir/x.flow', '100% #1 dir')

  place('repository/other.toml')
  check('no other TOML file', 'repository/other.toml', nil)

  vim.uv.os_setenv('HOME', workspace .. '/home')
  place('home/.git/', 'home/work/flow.toml', 'home/work/x.flow')
  check('a repository that is all of the home directory is too much', 'home/work/x.flow', 'home/work')

  -- Editing: what the filetype plugin sets.
  vim.cmd.enew()
  vim.bo.filetype = 'flow'
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { '/// The weather.' })
  vim.cmd.normal({ 'onow', bang = true })
  local line = vim.api.nvim_get_current_line()
  session.check('a doc comment goes on in the next line', line == '/// now', line)

  local lines = { 'pub record Hit { url: Text } // note', '/// doc', '//// plain', '@tool' }
  vim.api.nvim_buf_set_lines(0, 0, -1, false, lines)
  local function group(row, column)
    return vim.fn.synIDattr(vim.fn.synID(row, column, 1), 'name')
  end
  local seen = { group(1, 5), group(1, 12), group(1, 18), group(1, 23), group(1, 31) }
  vim.list_extend(seen, { group(2, 1), group(3, 1), group(4, 2) })
  session.check('declarations are coloured', vim.deep_equal(seen, {
    'flowStructure', 'flowRecordName', 'flowField', 'flowType', 'flowComment', 'flowDocComment', 'flowComment',
    'flowAttribute',
  }), seen)
end)
