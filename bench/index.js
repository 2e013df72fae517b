'use strict';
// `npm run bench`, `npm run bench -- scale`, or `npm run bench -- soak`.
const [, , name] = process.argv;
require(name === 'scale' || name === 'soak' ? `./${name}` : './run');
