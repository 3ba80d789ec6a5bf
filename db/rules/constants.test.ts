import { expect, it } from 'vitest'
import { AI_DEFAULT, AI_MAX, AI_MIN, IDLE_STATS, JITTER_MS } from './ai-figures.ts'
import {
  BASE_RATE,
  BOOST_PER_MEMBER,
  INTERVAL_MS,
  NETWORK_NAME,
  OTP_LENGTH,
  PASSWORD_MIN,
  REFERRAL_POLL_MS,
  SESSION_MS,
  STATUS_POLL_MS,
  TAGLINE,
  USERNAME_MIN,
} from './constants.ts'
import { AVATAR_PIXELS, AVATAR_PRESETS, AVATAR_QUALITY } from './members/avatars.ts'

it('network name and tagline are those of the specification', () => {
  expect([NETWORK_NAME, TAGLINE]).toEqual(['TESP Network', 'AI-Powered Mining'])
})

it('user names need 3 characters, passwords 8, codes 6', () => {
  expect([USERNAME_MIN, PASSWORD_MIN, OTP_LENGTH]).toEqual([3, 8, 6])
})

it('a session lasts 24 hours and is credited each 20 minutes', () => {
  expect([SESSION_MS, INTERVAL_MS]).toEqual([86_400_000, 1_200_000])
})

it('the status is polled each 5 seconds and the boost each 60', () => {
  expect([STATUS_POLL_MS, REFERRAL_POLL_MS]).toEqual([5_000, 60_000])
})

it('mining earns 0.1 TESP an hour and 5 % more for each direct member', () => {
  expect([BASE_RATE, BOOST_PER_MEMBER]).toEqual(['0.1', '0.05'])
})

it('AI optimization starts at 35 within 30…50 and jitters each 10 seconds', () => {
  expect([AI_DEFAULT, AI_MIN, AI_MAX, JITTER_MS]).toEqual([35, 30, 50, 10_000])
})

it('idle stats are 4616 connections, 26.97 TB and 18.90 TH/s', () => {
  expect(IDLE_STATS).toEqual({ neuralLinks: 4616, dataProcessed: 26.97, networkPower: 18.9 })
})

it('there are nine preset avatars, and uploads are 300 pixels wide at quality 0.7', () => {
  expect(AVATAR_PRESETS).toHaveLength(9)
  expect([AVATAR_PIXELS, AVATAR_QUALITY]).toEqual([300, 0.7])
})
