import net from 'node:net'

/** Rejects with the error of listen(2) if the port is in use, before anything else is started. */
export function assertPortIsFree(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject)
    server.listen(port, host, () => server.close(() => resolve()))
  })
}

/** Says what to do about an error of listen(2). */
export function explainPortError(error: NodeJS.ErrnoException, port: number): string {
  if (error.code === 'EADDRINUSE') {
    return `Port ${port} is in use by another program: stop it or set PORT to a free one.`
  }
  if (error.code === 'EACCES')
    return `Port ${port} is not allowed for this account: set PORT to 1024 or higher.`
  return `Port ${port} cannot be used: ${error.message}`
}
