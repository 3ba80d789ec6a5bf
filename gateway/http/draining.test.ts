import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { httpServer, listen, stopListening } from '#gateway/http/http-server'

const LIMITS = { headersTimeoutMs: 10_000, requestTimeoutMs: 15_000 }
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`

let server: Server
let port: number
let hasBegun: Promise<void>
let finish: () => void

/** `/slow` is answered when `finish` is called, anything else immediately. */
beforeEach(async () => {
  let begin = () => {}
  hasBegun = new Promise((resolve) => {
    begin = resolve
  })
  const isFinished = new Promise<void>((resolve) => {
    finish = resolve
  })
  server = httpServer(async ({ url }, answer) => {
    if (url === '/slow') {
      begin()
      await isFinished
    }
    answer.end(url)
  }, LIMITS)
  port = await listen(server, 0, '127.0.0.1')
})
afterEach(() => server.closeAllConnections())

/** A connection of a proxy that keeps it open. */
function keptConnection() {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  return { socket, received: () => received, ended: once(socket, 'end') }
}

/** Keeps the process busy, as load does. */
function beBusy(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

it('a kept connection of a closing server ends with the request under way', async () => {
  const { socket, received, ended } = keptConnection()
  socket.write(get('/slow'))
  await hasBegun
  await stopListening(server)
  finish()
  await ended
  expect(received()).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*\/slow/)
})

it('a closing server answers a further request and ends the connection', async () => {
  const { socket, received, ended } = keptConnection()
  socket.write(get('/slow'))
  await hasBegun
  await stopListening(server)
  socket.write(get('/next'))
  finish()
  await ended
  expect(received()).toMatch(/\/slow[\s\S]*Connection: close[\s\S]*\/next/)
})

it('a closing server answers on an idle connection, as a proxy sends before it sees the end', async () => {
  const { socket, received, ended } = keptConnection()
  socket.write(get('/first'))
  await expect.poll(received).toContain('/first')
  await stopListening(server)
  socket.write(get('/second'))
  await ended
  expect(received()).toMatch(/Connection: close[\s\S]*\/second/)
})

it('a busy closing server answers what arrived on an idle connection before it ends those', async () => {
  const { socket, received, ended } = keptConnection()
  socket.write(get('/first'))
  await expect.poll(received).toContain('/first')
  await stopListening(server)
  socket.write(get('/second'))
  beBusy(700)
  await ended
  expect(received()).toContain('/second')
})

it('a busy closing server answers connections that it has not accepted yet', async () => {
  const { socket, received, ended } = keptConnection()
  socket.write(get('/waiting'))
  void stopListening(server)
  await ended
  expect(received()).toMatch(/Connection: close[\s\S]*\/waiting/)
})

it('a closing server ends connections that stay idle', async () => {
  const { socket, received, ended } = keptConnection()
  socket.write(get('/first'))
  await expect.poll(received).toContain('/first')
  await Promise.all([stopListening(server), ended, once(server, 'close')])
})
