import { expect, it } from 'vitest'
import { BOOST_PER_MEMBER, BOOST_PERCENT } from '#rules/constants'
import { ROOT } from '#runtime/process/root'
import { sourceFiles } from '#scripts/testing/import-graph'
import { readText } from '#scripts/testing/read-file'

const lines = sourceFiles(ROOT)
  .filter((file) => !/\.(test|e2e)\.tsx?$|testing\/|db\/rules\/constants\.ts$/.test(file))
  .flatMap((file) =>
    readText(file)
      .split('\n')
      .map((line) => ({ file, line })),
  )

it('texts format the boost of a member from the constant, and statements bind it', () => {
  const inText = new RegExp(`(?<![\\d.])${BOOST_PERCENT} ?%`)
  const inSql = new RegExp(`miningBoost[^,]*${BOOST_PER_MEMBER.replace('.', '\\.')}\\b`)
  const repeated = lines.filter(
    ({ file, line }) =>
      (file.startsWith('client/language/') && inText.test(line)) ||
      (/^(db|gateway|workers|operators)\//.test(file) && inSql.test(line)),
  )
  expect(repeated).toEqual([])
})
