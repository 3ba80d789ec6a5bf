import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'
import type { Certificate } from './certificate.ts'

/** What a documented configuration leaves to the machine that it runs on. */
export type Machine = Certificate & {
  /** Port of the proxy for TLS, and one for plain HTTP. */
  port: number
  plainPort: number
  gateways: number[]
}

const read = (file: string) => fs.readFileSync(path.join(ROOT, 'docs/deploy', file), 'utf8')

/** Replaces every occurrence; a text that is missing means that the document has changed. */
function replaced(source: string, changes: [from: string, to: string][]): string {
  return changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the configuration has no "${from}"`)
    return text.replaceAll(from, to)
  }, source)
}

/** docs/deploy/nginx.conf with the ports and the certificate of this machine. */
export function nginxSite({ port, plainPort, gateways, certificate, key }: Machine): string {
  return replaced(read('nginx.conf'), [
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    ['listen [::]:443 ssl', `listen [::1]:${port} ssl`],
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen [::]:80;', `listen [::1]:${plainPort};`],
    ['server_name tesp.example', 'server_name localhost'],
    ['127.0.0.1:3001', `127.0.0.1:${gateways[0]}`],
    ['127.0.0.1:3002', `127.0.0.1:${gateways[1]}`],
    ['/etc/letsencrypt/live/tesp.example/fullchain.pem', certificate],
    ['/etc/letsencrypt/live/tesp.example/privkey.pem', key],
  ])
}

/** What Debian's nginx.conf has around a site, with all files below `folder`. */
export function nginxMain(folder: string, site: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  )
  return [
    // The trial's folder belongs to its own account.
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    'daemon off;',
    `pid ${folder}/nginx.pid;`,
    `error_log ${folder}/error.log;`,
    'events { worker_connections 4096; }',
    `http {\ngzip on;\naccess_log off;\n${temporary.join('\n')}\n${site}\n}`,
  ].join('\n')
}

/** docs/deploy/Caddyfile with the ports and the certificate of this machine. */
export function caddyfile({ port, plainPort, gateways, certificate, key }: Machine): string {
  return replaced(read('Caddyfile'), [
    [
      '{\n\tservers {',
      `{\n\tadmin off\n\thttp_port ${plainPort}\n\thttps_port ${port}\n\tservers {`,
    ],
    ['tesp.example {\n', `localhost {\n\ttls ${certificate} ${key}\n`],
    ['127.0.0.1:3001', `127.0.0.1:${gateways[0]}`],
    ['127.0.0.1:3002', `127.0.0.1:${gateways[1]}`],
  ])
}
