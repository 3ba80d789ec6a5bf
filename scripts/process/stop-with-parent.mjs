// Preloaded into services: if the runner is killed, the channel to it closes, and nobody else would
// tell this process to stop.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
