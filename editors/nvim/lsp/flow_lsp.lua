-- The configuration of the server for vim.lsp.enable('flow_lsp'); change it with vim.lsp.config('flow_lsp', {...}).
--
-- A flow.toml keeps the filetype toml, so that highlighting and other TOML servers work as ever. That is why root_dir
-- is a function: it lets this server attach to no other TOML file, and to no JSON but the arguments of calls.
local calls = require('flow_lsp.calls')

--- The folder that the server looks after: the repository the file is in, else the outermost directory above it with
--- a flow.toml, else the file's own. Sources may import from all of it, so the nearest flow.toml would be too little.
local function root_of(path)
  local repository = vim.fs.root(path, '.git')
  if repository and repository ~= vim.uv.os_homedir() then
    return repository
  end
  local manifests = vim.fs.find('flow.toml', { path = vim.fs.dirname(path), upward = true, limit = math.huge })
  return vim.fs.dirname(manifests[#manifests] or path)
end

--- The folder of what is no file of the workspace itself, but belongs to one: that of a server which has it already.
local function root_with(path)
  for _, client in ipairs(vim.lsp.get_clients({ name = 'flow_lsp' })) do
    local root = client.config.root_dir
    if root and vim.fs.relpath(root, path) then
      return root
    end
  end
  return root_of(path)
end

--- What the lens of a view does here: Neovim shows it in windows of its own.
local function view(name)
  return function(command, context)
    local client = vim.lsp.get_client_by_id(context.client_id)
    if client then
      require(name).open(client, context.bufnr, command.arguments)
    end
  end
end

---@type vim.lsp.Config
return {
  cmd = { 'flow-lsp' },
  filetypes = { 'flow', 'toml', 'json' },
  root_dir = function(buffer, on_dir)
    local path = vim.api.nvim_buf_get_name(buffer)
    if vim.bo[buffer].filetype == 'toml' and vim.fs.basename(path) ~= 'flow.toml' then
      return
    end
    if vim.bo[buffer].filetype == 'json' then
      local source = calls.is_arguments(path) and calls.source_of(path)
      if source then
        on_dir(root_with(source))
      end
      return
    end
    on_dir(path ~= '' and root_of(vim.fs.normalize(path)) or vim.fn.getcwd())
  end,
  -- All settings in Neovim are the user's own. The server takes trust only from what it is started with, since other
  -- editors mix settings with those of the workspace.
  before_init = function(params, config)
    if next(config.settings or {}) then
      params.initializationOptions =
        vim.tbl_deep_extend('keep', params.initializationOptions or {}, config.settings)
    end
  end,
  capabilities = vim.tbl_deep_extend('error', calls.capabilities(), {
    experimental = { flowDiff = true, flowTools = true },
  }),
  handlers = vim.tbl_extend('error', calls.handlers(), {
    ['flow/toolsDidChange'] = function(...)
      require('flow_lsp.tools').changed(...)
    end,
    ['window/showMessageRequest'] = function(...)
      return require('flow_lsp.questions').ask(...)
    end,
  }),
  commands = {
    ['flow.tool.schema'] = view('flow_lsp.pages'),
    ['flow.tool.changes'] = view('flow_lsp.changes'),
  },
}
