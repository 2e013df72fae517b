/** Countries whose mobile numbers have an optional digit. Channels may use either spelling. */
const OPTIONAL_DIGITS: readonly { form: RegExp; spellings: readonly string[] }[] = [
  // Mexico, until 2019
  { form: /^\+521?(?<line>\d{10})$/, spellings: ['+52$<line>', '+521$<line>'] },
  // Argentina, from abroad
  { form: /^\+549?(?<line>\d{10})$/, spellings: ['+54$<line>', '+549$<line>'] },
  // Brazil, until 2016
  {
    form: /^\+55(?<area>\d{2})9?(?<line>[6-9]\d{7})$/,
    spellings: ['+55$<area>$<line>', '+55$<area>9$<line>'],
  },
];

/** All spellings of a number, the given one first. They are the same person. */
export function spellingsOf(phone: string): string[] {
  const others = OPTIONAL_DIGITS.filter(({ form }) => form.test(phone)).flatMap(({ form, spellings }) =>
    spellings.map((spelling) => phone.replace(form, spelling)),
  );
  return [...new Set([phone, ...others])];
}
