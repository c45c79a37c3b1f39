//! A new folder for one test, gone when the test is over.

use super::document::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A folder that is removed when dropped.
pub(super) struct Folder(PathBuf);

impl Folder {
    /// A new folder with these files in it; of two with the same name the later one stays.
    pub(super) fn with(files: &[File]) -> io::Result<Folder> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        // Relaxed: only the uniqueness of the number matters.
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("fairhold-spec-{}-{number}", std::process::id()));
        // A folder of this name can only be left over from a killed run.
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path)?;
        let folder = Folder(path);
        folder.write(files)?;
        Ok(folder)
    }

    /// Writes these files, over others of the same name.
    pub(super) fn write(&self, files: &[File]) -> io::Result<()> {
        for (name, text) in files {
            let file = self.0.join(name);
            if let Some(parent) = file.parent() {
                std::fs::create_dir_all(parent)?;
            }
            std::fs::write(file, text)?;
        }
        Ok(())
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing depends on it: the worst is a leftover folder among temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
