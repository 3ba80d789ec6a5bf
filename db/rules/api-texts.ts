import {
  OTP_LENGTH,
  PASSKEY_NAME_MAX,
  PASSWORD_MAX,
  PASSWORD_MIN,
  STATEMENT_DAYS,
  USERNAME_MIN,
} from './constants.ts'
import { AVATAR_PIXELS } from './members/avatars.ts'

/**
 * English texts of the API that screens show and no error code names: those of the fields of forms, of
 * checks while a member types, and the second text of a code that has several. Each language translates
 * them by key (`client/language/vi/errors.ts`). Texts given by the specification are used to the letter.
 */
export const API_TEXTS = {
  // Fields of sign-in, registration and the profile
  usernameShort: `Username must be at least ${USERNAME_MIN} characters`,
  usernameSigns: 'Use 3 to 30 letters, digits, dots, underscores or hyphens',
  usernameInvalid: 'Invalid username',
  usernameTaken: 'Username is already taken',
  usernameFree: 'Username is available',
  usernameFixed: 'Username cannot be changed',
  emailInvalid: 'Invalid email address',
  emailAddress: 'Please enter a valid email address',
  emailOfProfile: 'Please enter a valid email',
  emailTaken: 'Email is already in use',
  emailFree: 'Email is available',
  emailFixed: 'Email cannot be changed',
  passwordShort: `Password must be at least ${PASSWORD_MIN} characters`,
  passwordLong: `Password must be at most ${PASSWORD_MAX} characters`,
  passwordMissing: 'Password is required',
  passwordWrong: 'Password is not correct',
  passwordsDiffer: "Passwords don't match",
  passwordsDifferOnReset: 'Passwords do not match',
  identifierMissing: 'Username or email is required',
  otpShort: `OTP code must be at least ${OTP_LENGTH} characters`,
  otpMissing: 'Please enter OTP code',
  otpInvalid: 'Invalid OTP code',
  otpTooMany: 'Too many codes for this email address',
  fullNameLong: 'Full name must be at most 100 characters',
  phoneLong: 'Phone number must be at most 32 characters',
  languageUnknown: 'This language is not available',
  confirmationMissing: 'Type your username to confirm',
  confirmationWrong: 'Type your username exactly as it is',
  signInUnknown: 'Sign-in does not exist',

  // Passkeys and one-time codes
  factorCodeMissing: 'Please enter the code',
  factorCodeInvalid: 'This code is not valid',
  factorTookTooLong: 'This took too long. Please start again',
  passkeyUnreadable: 'This browser sent no usable passkey',
  passkeyKnown: 'This passkey has been added before',
  passkeyUnknown: 'Passkey does not exist',
  passkeyNameMissing: 'Please enter a name',
  passkeyNameLong: `The name must be at most ${PASSKEY_NAME_MAX} characters`,

  // Referral codes
  referralMissing: 'Please enter a referral code',
  referralPrefix: 'Referral code must start with TESP',
  referralValid: 'Referral code is valid',
  referralUnknown: 'Referral code does not exist',
  referralClosed: 'This referral code does not take new members',
  referralOwn: 'You cannot use your own referral code',
  referralOwnTeam: 'You cannot use the code of a member of your own team',
  referralEmailCounted: 'This email address was counted in a team before',
  referralDone: 'Referral code applied successfully',
  referralApplied: 'You have already applied a referral code',

  // Pictures and documents
  avatarMissing: 'Please select an avatar',
  avatarLarge: 'The image is too large',
  avatarFormat: 'The image is not a JPEG',
  avatarPixels: `The image must fit into ${AVATAR_PIXELS} × ${AVATAR_PIXELS} pixels`,
  documentType: 'Please select a document type',
  documentMissing: 'Please choose a document',
  documentLarge: 'The document must not be larger than 5 MB',
  documentUnknown: 'There is no such document',
  documentsClosed: 'Identity documents are not accepted yet',

  // Statements, reminders, tasks
  dayInvalid: 'Enter a date as year-month-day',
  daysReversed: 'The last day must not be before the first one',
  daysTooMany: `A statement covers at most ${STATEMENT_DAYS} days`,
  subscriptionUnreadable: 'This browser sent no usable push subscription',
  deviceUnknown: 'Device does not exist',
  pushKindUnknown: 'This kind of notification does not exist',
  taskUnknown: 'Task does not exist',
  taskCodeWrong: 'The code word is not correct',

  // Any request
  notFound: 'Not found',
  badRequest: 'Bad request',
  requestLarge: 'The request is too large',
  internal: 'Something went wrong',
} as const
