import { userInfo } from 'node:os'
import { expect, it } from 'vitest'
import { operatorName } from './run.ts'

it.each([
  [{ OPERATOR: ' ada ', SUDO_USER: 'bob' }, 'ada'],
  [{ SUDO_USER: 'bob' }, 'bob'],
  [{}, userInfo().username],
])('the operator of %j is %s', (env, name) => {
  expect(operatorName(env)).toBe(name)
})
