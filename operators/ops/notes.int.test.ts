import { expect, it } from 'vitest'
import { operate } from '#operators/ops/testing/operate'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { PASSWORD } from '#scripts/testing/gateway/visitor'

const product = useProduct()
const member = useMember(product)
const id = () => member.user?.id ?? 0

it('notes have author, time and text, and the log holds no text', async () => {
  const text = 'Zoë wrote from zoe@new.example:\nwants a new address'
  const add = (note: string) => operate(product, 'notes add', [`id:${id()}`, note])
  await add(text)
  await add('done')
  const list = async () =>
    JSON.parse(await operate(product, 'notes list', [`id:${id()}`], { json: true }))
  const notes = await list()
  expect(notes).toMatchObject([
    { author: 'ada', note: 'done' },
    { author: 'ada', note: text, at: expect.stringMatching(/Z$/) },
  ])
  for (const bad of [' ', 'x'.repeat(1_001), 'a\u0007b', 'a\u202eb']) {
    await expect(add(bad)).rejects.toThrow('A note must be a text of 1 to 1000 characters')
  }
  await operate(product, 'notes delete', [String(notes[1].id)], { reason: 'about somebody else' })
  expect(await list()).toHaveLength(1)
  const logged = await product.db('operator_actions').where({ userId: id() })
  expect(logged).toHaveLength(3)
  expect(JSON.stringify(logged)).not.toContain('Zo')
})

it('a member whose name is the usual reason of an action gets a note', async () => {
  const name = { username: 'Note', usernameKey: 'note' }
  await product.db('users').where({ id: id() }).update(name)
  const add = (options: { reason?: string }) =>
    operate(product, 'notes add', [`id:${id()}`, 'called'], options)
  await add({})
  await expect(add({ reason: 'a note' })).rejects.toThrow('must not contain the user name')
})

it('notes are deleted with their member', async () => {
  await operate(product, 'notes add', [`id:${id()}`, 'x'])
  const { username } = await product.db('users').where({ id: id() }).first()
  const body = { password: PASSWORD, confirmation: username }
  expect((await member.call('POST /api/user/delete', { body })).status).toBe(200)
  expect(await product.db('member_notes').where({ userId: id() })).toEqual([])
})
