import { originProblem } from './origin';

test.each([
  'https://app.example.com',
  'https://app.example.com:8443',
  'https://xn--mnchen-3ya.de',
  'http://localhost:5173',
  'http://127.0.0.1:3000',
  'http://[::1]',
])('%s can be registered', (origin) => {
  expect(originProblem(origin)).toBeUndefined();
});

test.each([
  ['', 'such as https://app.example.com'],
  ['null', 'such as https://app.example.com'],
  ['*', 'such as https://app.example.com'],
  ['app.example.com', 'such as https://app.example.com'],
  ['//app.example.com', 'such as https://app.example.com'],
  ['https://app.example.com/', 'written as https://app.example.com'],
  ['https://app.example.com/path', 'written as https://app.example.com'],
  ['https://app.example.com?x', 'written as https://app.example.com'],
  ['https://app.example.com#x', 'written as https://app.example.com'],
  ['https://me:pw@app.example.com', 'written as https://app.example.com'],
  ['https://APP.example.com', 'written as https://app.example.com'],
  ['https://app.example.com:443', 'written as https://app.example.com'],
  ['https://münchen.de', 'written as https://xn--mnchen-3ya.de'],
  [' https://app.example.com', 'written as https://app.example.com'],
  ['https://*.example.com', 'no wildcards'],
  ['http://app.example.com', 'unless it is localhost'],
  ['http://localhost.evil.test', 'unless it is localhost'],
  ['com.example.app:', 'must begin with https://'],
  ['file:///', 'must begin with https://'],
  ['data:text/html,x', 'must begin with https://'],
  [`https://${'x'.repeat(300)}.test`, 'at most 300'],
])('%j can’t be registered', (origin, problem) => {
  expect(originProblem(origin)).toContain(problem);
});
