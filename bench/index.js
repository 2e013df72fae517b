'use strict';
// `npm run bench`, or `npm run bench -- export`, `-- import`, `-- scale` or `-- soak`.
const [, , name] = process.argv;
require(['export', 'import', 'scale', 'soak'].includes(name) ? `./${name}` : './run');
