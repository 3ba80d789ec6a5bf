import { call } from '#client/data/api.ts'
import { FACTORS_URL, memberQuery, OPENED } from '#client/data/member-data.ts'
import { refresh } from '#client/data/refresh.ts'

export const factorsAtom = memberQuery(FACTORS_URL, () => call('GET /api/user/factors'), OPENED)

export const refreshFactors = () => refresh(FACTORS_URL)
