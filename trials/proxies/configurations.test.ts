import { expect, it } from 'vitest'
import { caddyfile, type Machine, nginxMain, nginxSite } from './configurations.ts'

const machine: Machine = {
  port: 8443,
  plainPort: 8080,
  gateways: [4001, 4002],
  certificate: '/tmp/certificate.pem',
  key: '/tmp/key.pem',
}

it('the documented configuration of nginx fits a machine by its ports and certificate', () => {
  const text = nginxMain('/tmp/folder', nginxSite(machine))
  for (const part of [
    '127.0.0.1:8443 ssl http2',
    '127.0.0.1:4001',
    '127.0.0.1:4002',
    machine.key,
  ]) {
    expect(text).toContain(part)
  }
  expect(text).not.toMatch(/listen [^;]*\b(80|443)\b/)
  expect(text).not.toMatch(/(ssl_certificate|server_name) [^;]*tesp\.example/)
})

it('the documented configuration of Caddy fits a machine by its ports and certificate', () => {
  const text = caddyfile(machine)
  for (const part of [
    'https_port 8443',
    '127.0.0.1:4001 127.0.0.1:4002',
    `tls ${machine.certificate}`,
  ]) {
    expect(text).toContain(part)
  }
  expect(text).not.toMatch(/^tesp\.example/m)
})

it.each([
  ['nginx', () => nginxSite(machine)],
  ['Caddy', () => caddyfile(machine)],
])('%s takes bodies above the limit of the gateway, so that the gateway answers', (_, text) => {
  expect(text()).toMatch(/(client_max_body_size 8m|max_size 8MB)/)
})
