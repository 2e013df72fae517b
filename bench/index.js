'use strict';
// `npm run bench`, or `npm run bench -- export`, `-- scale` or `-- soak`.
const [, , name] = process.argv;
require(['export', 'scale', 'soak'].includes(name) ? `./${name}` : './run');
