'use strict';
// `npm run bench`, or `npm run bench -- export`, `-- figures`, `-- import`, `-- scale` or `-- soak`.
const [, , name] = process.argv;
require(['export', 'figures', 'import', 'scale', 'soak'].includes(name) ? `./${name}` : './run');
