import { expect, it } from 'vitest'
import { browserChannel } from './browser-channel.ts'

it('a broadcast channel receives the messages of its browser only', async () => {
  const Own = browserChannel('own')
  const Other = browserChannel('other')
  const [tab, secondTab, stranger] = [new Own('x'), new Own('x'), new Other('x')]
  const received: unknown[] = []
  tab.onmessage = (event) => received.push((event as MessageEvent).data)
  stranger.postMessage('from another browser')
  secondTab.postMessage('from the second tab')
  await expect.poll(() => received).toEqual(['from the second tab'])
  for (const channel of [tab, secondTab, stranger]) channel.close()
})
