import { consentIn } from './consent-words';

test.each([
  ['STOP', [], 'stop'],
  [' stop. ', [], 'stop'],
  ['Stop all!', [], 'stop'],
  ['START', ['es'], 'start'],
  ['Baja', [], undefined],
  ['¡BAJA!', ['es'], 'stop'],
  ['arrêt', ['fr'], 'stop'],
  ['ALTA', ['ca'], 'start'],
  ['Rezygnuję', ['pl'], 'stop'],
  ['Please don’t stop', [], undefined],
  ['', [], undefined],
  ['constructor', ['constructor', 'xx'], undefined],
])('“%s” with the words of %j: %s', (text, languages, consent) => {
  expect(consentIn(text, languages)).toBe(consent);
});
