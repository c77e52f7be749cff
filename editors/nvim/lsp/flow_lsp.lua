-- The configuration of the server for vim.lsp.enable('flow_lsp'); change it with vim.lsp.config('flow_lsp', {...}).
--
-- A flow.toml keeps the filetype toml, so that highlighting and other TOML servers work as ever. That is why root_dir
-- is a function: it lets this server attach to no other TOML file.

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

--- Shows the text that flow.doctor answers in a window of its own.
local function show_report(problem, text)
  if problem or type(text) ~= 'string' then
    vim.notify('flow-lsp: ' .. (problem and problem.message or 'there is no report'), vim.log.levels.ERROR)
    return
  end
  vim.cmd.new()
  vim.api.nvim_buf_set_lines(0, 0, -1, true, vim.split(text, '\n'))
  vim.bo.buftype = 'nofile'
  vim.bo.bufhidden = 'wipe'
  vim.bo.swapfile = false
  vim.bo.modifiable = false
end

---@type vim.lsp.Config
return {
  cmd = { 'flow-lsp' },
  filetypes = { 'flow', 'toml' },
  root_dir = function(buffer, on_dir)
    local path = vim.api.nvim_buf_get_name(buffer)
    if vim.bo[buffer].filetype == 'toml' and vim.fs.basename(path) ~= 'flow.toml' then
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
  on_attach = function(client, buffer)
    vim.api.nvim_buf_create_user_command(buffer, 'FlowDescribe', function(options)
      local arguments = options.bang and {} or { vim.uri_from_bufnr(buffer) }
      client:exec_cmd({ title = 'Ask again', command = 'flow.describe', arguments = arguments }, { bufnr = buffer })
    end, { bang = true, desc = 'Ask what answers for this file what it serves (with !: for the whole workspace)' })
    vim.api.nvim_buf_create_user_command(buffer, 'FlowDoctor', function()
      client:request('workspace/executeCommand', { command = 'flow.doctor' }, show_report, buffer)
    end, { desc = 'Show what would run for each binding, and what is wrong with it' })
  end,
}
