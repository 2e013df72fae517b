'use strict';
// `npm run bench`, or `npm run bench -- scale`.
require(process.argv[2] === 'scale' ? './scale' : './run');
