import net from 'node:net'

/** Fails at once, with what a listening server would fail with later, if the address is taken. */
export function assertPortIsFree(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject)
    server.listen(port, host, () => server.close(() => resolve()))
  })
}

/** A listening server's error in a sentence that says what to do. */
export function explainPortError(error: NodeJS.ErrnoException, port: number): string {
  if (error.code === 'EADDRINUSE') {
    return `Port ${port} is in use by another program: stop that, or set PORT to another one.`
  }
  if (error.code === 'EACCES') return `Port ${port} may not be used by this account: set PORT.`
  return `Port ${port} cannot be used: ${error.message}`
}
