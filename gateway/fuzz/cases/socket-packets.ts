import { BINARY, frame, TEXT } from '#scripts/testing/gateway/wire/raw-socket'
import { INJECTIONS, UNICODE } from './corpus.ts'

/** Bytes for an open socket, and whether the gateway must close it. */
export type PacketCase = { name: string; bytes: Buffer; closes: boolean }

const LAST = 0x80
const text = (packet: string) => frame(LAST | TEXT, packet)

/** Reserved event names, and names without a listener. */
const EVENTS = [
  'connect',
  'connect_error',
  'disconnect',
  'disconnecting',
  'newListener',
  'removeListener',
  '__proto__',
  'constructor',
  'toString',
  'error',
  'changed',
  'replaced',
  'signed-out',
  'join',
  '',
  ...Object.values(INJECTIONS),
  ...Object.values(UNICODE),
]

/** Malformed packets: Socket.IO closes the connection. */
const MALFORMED = [
  '4',
  '4x',
  '47',
  '42',
  '42[',
  '42{}',
  '42"a"',
  '42null',
  '42[]',
  '42[null]',
  '42[{}]',
  '42[["a"]]',
  '429',
  '42abc',
  '42["a"',
  '42["a"]]',
  '41["a"]',
  '40"text"',
  '40[1]',
  '40{"a":',
  '43"a"',
  '43x',
  '44',
  '45',
  '45-["a"]',
  '45x-["a"]',
  '451["a"]',
  '45-1-["a"]',
  '45999999999-["a"]',
  '46-[]',
  '451-["a"]42["b"]',
  'x',
  '9',
  '7garbage',
  '\u0000',
]

/** Event packets: the gateway closes a connection that sends any. */
const EVENT_PACKETS = [
  ...EVENTS.map((name) => `42${JSON.stringify([name, { userId: 1 }])}`),
  '42[0]',
  '42[1,2]',
  '420["a"]',
  '42999999999["a"]',
  '42["a",{"__proto__":{"isAdmin":true}}]',
  `42["a",${'['.repeat(1_800)}${']'.repeat(1_800)}]`,
  `42["a",${'{"a":'.repeat(600)}1${'}'.repeat(600)}]`,
  `42["a","${'x'.repeat(3_900)}"]`,
  `42["a",${'"\\ud83d",'.repeat(300)}"\\u0000"]`,
]

/** Valid protocol packets: the gateway ignores them or closes the connection. */
const TOLERATED = [
  // Announces a binary attachment that never follows.
  '451-["a",{"_placeholder":true,"num":1e9}]',
  '',
  '0',
  '0{}',
  '1',
  '2',
  '2probe',
  '3',
  '3probe',
  '5',
  '6',
  '40',
  '40{}',
  '40/,',
  '41',
  '43[]',
  '430[]',
  '431["a"]',
  '43999999[null]',
  '40/admin,',
  '40/__proto__,',
  '40/../,{"a":1}',
  '41/admin,',
  '42/admin,["a"]',
  '40{"userId":1,"token":"a"}',
  '40{"__proto__":{"memberId":1}}',
  '40/admin,{"a":',
]

/** Frames that RFC 6455 forbids, and frames over the size limit. */
const FRAMES: Record<string, Buffer> = {
  'more than 4 KiB': text(`4${'x'.repeat(8_000)}`),
  '60 KB': text(`42["a","${'x'.repeat(60_000)}"]`),
  // Smaller ones are tolerated, so only the size closes these.
  'an acknowledgement of 8 KB': text(`430["${'x'.repeat(8_000)}"]`),
  'a heartbeat of 8 KB': text(`3${'x'.repeat(8_000)}`),
  'fragments of 2 KB without an end': Buffer.concat([
    frame(TEXT, `430["${'x'.repeat(2_000)}`),
    ...[1, 2, 3].map(() => frame(0, 'x'.repeat(2_000))),
  ]),
  '60 KB of binary': frame(LAST | BINARY, Buffer.alloc(60_000)),
  'a length of 2^63': Buffer.from([
    0x81, 0xff, 0x7f, 255, 255, 255, 255, 255, 255, 255, 1, 2, 3, 4,
  ]),
  'a negative length': Buffer.from([
    0x81, 0xff, 0xff, 255, 255, 255, 255, 255, 255, 255, 1, 2, 3, 4,
  ]),
  'text that is not UTF-8': frame(LAST | TEXT, Buffer.from([0x34, 0x32, 0xff, 0xfe, 0xc0])),
  'no mask': frame(LAST | TEXT, '42["a"]', false),
  'an unknown opcode': frame(LAST | 3, 'a'),
  'an unknown control opcode': frame(LAST | 11, 'a'),
  'reserved bits': frame(LAST | 0x70 | TEXT, 'a'),
  'compression that was not negotiated': frame(LAST | 0x40 | TEXT, 'a'),
  'a continuation without a start': frame(LAST, 'a'),
  'a start within a fragmented text': Buffer.concat([frame(TEXT, '4'), frame(TEXT, '2')]),
  'a fragmented ping': frame(9, 'a'),
  'a ping of 200 bytes': frame(LAST | 9, 'a'.repeat(200)),
  'a close with half a code': frame(LAST | 8, 'a'),
  'a close with an invalid code': frame(LAST | 8, Buffer.from([0, 1])),
  'a close reason that is not UTF-8': frame(LAST | 8, Buffer.from([3, 232, 255, 254])),
  noise: Buffer.from(Array.from({ length: 500 }, (_, at) => (at * 7_919) % 256)),
  'another protocol': Buffer.from('GET /api/user HTTP/1.1\r\nHost: x\r\n\r\n'),
  'binary without an announcement': frame(LAST | BINARY, Buffer.from([4, 5, 6])),
}

export function packetCases(): PacketCase[] {
  const named = (packets: string[], closes: boolean) =>
    packets.map((packet) => ({ name: packet.slice(0, 50), bytes: text(packet), closes }))
  return [
    ...named(MALFORMED, true),
    ...named(EVENT_PACKETS, true),
    ...named(TOLERATED, false),
    ...Object.entries(FRAMES).map(([name, bytes]) => ({ name, bytes, closes: true })),
  ]
}
