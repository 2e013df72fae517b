import { isCurrency, isTimeZone } from './workspace';

describe('time zones', () => {
  test.each([
    'UTC',
    'Europe/Madrid',
    'America/New_York',
    'America/Argentina/Buenos_Aires',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'Asia/Ho_Chi_Minh',
    'Asia/Yangon',
    'Europe/Kyiv',
    'Atlantic/Faroe',
    'America/Nuuk',
    'Pacific/Kiritimati',
  ])('%s is one', (name) => expect(isTimeZone(name)).toBe(true));

  test.each([
    '',
    ' ',
    'GMT-05:00',
    '+05:30',
    'America/Pacific',
    '../etc',
    'europe/madrid',
    'Europe',
    'Madrid',
    'Europe/Madrid ',
    'Europe/Madrid\n',
    'local',
    'undefined',
  ])('%j is none', (name) => expect(isTimeZone(name)).toBe(false));
});

describe('currencies', () => {
  test.each(['EUR', 'USD', 'JPY', 'KWD', 'MXN'])('%s is one', (code) => expect(isCurrency(code)).toBe(true));
  test.each(['', 'eur', 'EURO', '€', 'ABC', 'EUR '])('%j is none', (code) =>
    expect(isCurrency(code)).toBe(false),
  );
});
