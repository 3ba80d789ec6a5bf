// Preloaded into services: a killed parent sends no signal, but its IPC channel closes.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
