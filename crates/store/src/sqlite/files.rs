//! The files of a database: for nobody but their owner, and still where they
//! were.

use std::fs::{DirBuilder, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::OpenError;

/// The file beside the database that ends with `suffix`.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Makes a folder that is missing, readable by nobody else. One that is there
/// may be shared on purpose and is left alone.
pub(super) fn make_folder(folder: &Path) -> Result<(), OpenError> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .create(folder)
        .map_err(|error| OpenError::from_io(folder, &error))
}

/// How a file is made that nobody else may read.
pub(super) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Makes the database if it is missing, and takes it and the files beside it
/// from everybody else. SQLite gives its own files the mode of the database.
///
/// A file that is there is never opened: closing it would drop the locks that
/// SQLite holds on it in this process.
pub(super) fn make_private(path: &Path) -> Result<(), OpenError> {
    match private().create_new(true).open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            return Err(OpenError::from_io(path, &error));
        }
        _ => {}
    }
    for suffix in ["", "-wal", "-shm", ".lock"] {
        restrict(&beside(path, suffix));
    }
    Ok(())
}

/// Takes a file from everybody but its owner.
#[cfg(unix)]
pub(super) fn restrict(path: &Path) {
    use std::os::unix::fs::PermissionsExt;

    let Ok(metadata) = std::fs::metadata(path) else {
        return;
    };
    let mut permissions = metadata.permissions();
    if permissions.mode() & 0o077 == 0 {
        return;
    }
    permissions.set_mode(permissions.mode() & 0o7700);
    // Another user's file that we may write is how its owner wants it.
    if let Err(error) = std::fs::set_permissions(path, permissions) {
        tracing::warn!(path = %path.display(), "others may read it: {error}");
    }
}

#[cfg(not(unix))]
pub(super) fn restrict(_: &Path) {}

/// Makes sure that a new name of a file outlives a power cut.
#[cfg(unix)]
pub(super) fn sync_folder(file: &Path) -> io::Result<()> {
    let folder = file.parent().filter(|path| !path.as_os_str().is_empty());
    std::fs::File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(not(unix))]
pub(super) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Which file a path led to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Place {
    path: PathBuf,
    #[cfg(unix)]
    file: (u64, u64),
}

impl Place {
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let metadata = std::fs::metadata(path)?;
        #[cfg(not(unix))]
        drop(metadata);
        Ok(Self {
            path: path.to_owned(),
            #[cfg(unix)]
            file: {
                use std::os::unix::fs::MetadataExt;
                (metadata.dev(), metadata.ino())
            },
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the path still leads there. While the file is open, no other
    /// gets its number.
    pub(super) fn is_same(&self) -> bool {
        Self::of(&self.path).is_ok_and(|now| now == *self)
    }
}
