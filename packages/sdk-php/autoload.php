<?php

declare(strict_types=1);

// Where there is no Composer: require this file, and the client's classes are found.
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Parley\\')) {
        $file = __DIR__ . '/src/' . strtr(substr($class, strlen('Parley\\')), '\\', '/') . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
