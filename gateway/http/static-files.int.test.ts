import fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import Koa from 'koa'
import { expect, it, onTestFinished } from 'vitest'
import { testFolder } from '#scripts/testing/temp-folder'
import { staticFiles } from './static-files.ts'

it('HEAD of a file that cannot be opened does not end the process', async () => {
  const root = testFolder()
  // It exists, and nothing can open it as a file.
  const unopenable = createServer().listen(path.join(root, 'a.txt'))
  fs.writeFileSync(path.join(root, 'b.txt'), 'b')
  const server = createServer(new Koa().use(staticFiles(root)).callback()).listen(0)
  onTestFinished(() => {
    unopenable.close()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const head = (file: string) => fetch(`http://127.0.0.1:${port}/${file}`, { method: 'HEAD' })
  expect((await head('a.txt')).status).toBe(200)
  expect((await head('b.txt')).headers.get('Content-Length')).toBe('1')
})
